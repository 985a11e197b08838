/* What the library is built on.
 *
 * The files of this folder are C11 with gcc's `typeof`, without directives: they are not preprocessed. `ult` adds the
 * functions that a program calls and does not define itself, each call with a copy of its own. All names of the file's
 * scope that are not the library's begin with `__ult_`. Section numbers are those of C11. In a definition, the last
 * parentheses before ` {` are the parameters.
 */

/* The type of sizes (7.19), whatever the data model is. */
typedef typeof(sizeof 0) __ult_size;
/* The type of differences (7.19). */
typedef typeof((char *)0 - (char *)0) __ult_difference;

/* Any value: what the standard leaves open, or what comes from outside. */
extern int __ult_any_int(void);
extern __ult_size __ult_any_size(void);
extern long long __ult_any_long_long(void);
extern double __ult_any_double(void);

/* A text of the system's, or null. */
extern char *__ult_any_string(void);

/* A number fits into its type, without which behavior is undefined. */
extern void __ult_fits(int condition);

/* Runs in which the condition does not hold do not count. */
extern void __ult_assume(int condition);

/* A number that is open, but always the same one for the same arguments: what a function answers that depends on nothing
 * else. Where a program looks at no more than its sign, it is any number. */
extern int __ult_same_number(int function, int argument);
extern int __ult_same_order(int function, const void *left, const void *right, int first, int second);

/* There have to be so many bytes; the other one reads them, too. */
extern void __ult_needs(const void *object, typeof(sizeof 0) size);
extern void __ult_reads(const void *object, typeof(sizeof 0) size);

/* Whether two pointers point into the same object; unlike `<`, it is defined for all pointers. */
extern int __ult_same_object(const void *left, const void *right);

/* What `errno` becomes, and that it may become any number but zero (7.5). Both do nothing in programs that do not mention
 * it. */
extern void __ult_set_errno(int number);
extern void __ult_may_fail(void);

/* What follows allows more than the function does: it counts for proofs, but not for runs. */
extern void __ult_approximated(void);

/* Of the last element that a number of bytes reaches, only a part is written: what follows makes all of it anything. */
extern void __ult_in_part(void);

/* Strings are read: whether there are some is not known where memory safety is asked for. */
extern void __ult_reads_strings(void);

/* The type of the objects that a call is about; this one where that is not known. */
typedef unsigned char __ult_element;

/* `__ult_unsupported("words")` is where the verdict is unknown. */

/* The number, not zero, that a function means by yes. */
static int __ult_yes(int function, int argument) {
  int number = __ult_same_number(function, argument);
  __ult_assume(number != 0);
  return number;
}

/* The number that a function gives for the first bytes in which two objects differ, where these are: it has the sign of the
 * difference. */
static int __ult_order(int function, const void *left, const void *right, int first, int second) {
  int number;
  if (first == second)
    return 0;
  number = __ult_same_order(function, left, right, first, second);
  __ult_assume(number != 0 && (number < 0) == (first < second));
  return number;
}

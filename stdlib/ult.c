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

/* A text of the system's, or null. */
extern char *__ult_any_string(void);

/* Runs in which the condition does not hold do not count. */
extern void __ult_assume(int condition);

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

/* Any number that is not zero. */
static int __ult_nonzero(void) {
  int number = __ult_any_int();
  __ult_assume(number != 0);
  return number;
}

/* Any number with the sign of the difference between two others. */
static int __ult_order(int left, int right) {
  int number;
  if (left == right)
    return 0;
  number = __ult_nonzero();
  __ult_assume((number < 0) == (left < right));
  return number;
}

/* The next byte of an input, or EOF (7.21.7.1). */
static int __ult_input(void) {
  int byte = __ult_any_int();
  __ult_may_fail();
  __ult_assume(byte >= -1 && byte <= 255);
  return byte;
}

/* <stdlib.h>: general utilities (C11 7.22). */

/* 7.22.6.1 */
int abs(int number) {
  return number < 0 ? -number : number;
}

long labs(long number) {
  return number < 0 ? -number : number;
}

long long llabs(long long number) {
  return number < 0 ? -number : number;
}

/* 7.22.6.2: the structures are those of the program's header. */
typeof(div(0, 1)) div(int number, int divisor) {
  typeof(div(0, 1)) result;
  result.quot = number / divisor;
  result.rem = number % divisor;
  return result;
}

typeof(ldiv(0, 1)) ldiv(long number, long divisor) {
  typeof(ldiv(0, 1)) result;
  result.quot = number / divisor;
  result.rem = number % divisor;
  return result;
}

typeof(lldiv(0, 1)) lldiv(long long number, long long divisor) {
  typeof(lldiv(0, 1)) result;
  result.quot = number / divisor;
  result.rem = number % divisor;
  return result;
}

/* 7.22.2.1: any sequence of numbers up to RAND_MAX, which is 2147483647. */
int rand(void) {
  int number = __ult_any_int();
  __ult_assume(number >= 0);
  return number;
}

/* POSIX */
long random(void) {
  int number = __ult_any_int();
  __ult_assume(number >= 0);
  return number;
}

/* Which number a seed gives at which place of its sequence. */
extern int __ult_same_random(int function, unsigned seed, unsigned long long place);

static unsigned __ult_seed = 1;
static unsigned long long __ult_place;
/* Whether it is rand (1) or random (2) that the seed is for. */
static int __ult_seed_of;

/* In glibc, rand and random share a sequence; elsewhere each has its own. */
static void __ult_use_seed(int function) {
  if (__ult_seed_of != 0 && __ult_seed_of != function)
    __ult_unsupported("rand and random with seeds in one program");
  __ult_seed_of = function;
}

static int __ult_next_random(int function) {
  int number;
  __ult_use_seed(function);
  number = __ult_same_random(function, __ult_seed, __ult_place);
  __ult_assume(number >= 0);
  __ult_place++;
  return number;
}

/* rand and random in programs that give seeds: the same sequence for the same one, which is 1 at the start (7.22.2.2). */
int __ult_seeded_rand(void) {
  return __ult_next_random(1);
}

long __ult_seeded_random(void) {
  return __ult_next_random(2);
}

void srand(unsigned seed) {
  __ult_use_seed(1);
  __ult_seed = seed;
  __ult_place = 0;
}

void srandom(unsigned seed) {
  __ult_use_seed(2);
  __ult_seed = seed;
  __ult_place = 0;
}

/* 7.22.3.1: addresses have no numbers here, so the alignment does not matter. */
void *aligned_alloc(__ult_size alignment, __ult_size size) {
  return malloc(size);
}

void *memalign(__ult_size alignment, __ult_size size) {
  return malloc(size);
}

/* POSIX: 12 is ENOMEM. */
int posix_memalign(void **result, __ult_size alignment, __ult_size size) {
  void *object = malloc(size);
  if (object == 0)
    return 12;
  *result = object;
  return 0;
}

/* The value of a digit, or 36 (7.22.1.4). */
static int __ult_digit(char character) {
  if (character >= '0' && character <= '9')
    return character - '0';
  if (character >= 'a' && character <= 'z')
    return character - 'a' + 10;
  if (character >= 'A' && character <= 'Z')
    return character - 'A' + 10;
  return 36;
}

/* The number at the start of a text (7.22.1.4): its absolute value, its sign, where it ends, and whether it does not fit
 * into 64 bits. */
static unsigned long long __ult_number(const char *text, int base, int *negative, __ult_size *end, int *large) {
  unsigned long long value = 0;
  __ult_size i = 0;
  int digit;
  *negative = 0;
  *end = 0;
  *large = 0;
  if (base < 0 || base == 1 || base > 36)
    __ult_unsupported("a number to a base that does not exist");
  while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))
    i++;
  if (text[i] == '-' || text[i] == '+') {
    *negative = text[i] == '-';
    i++;
  }
  if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X') &&
      __ult_digit(text[i + 2]) < 16) {
    base = 16;
    i += 2;
  } else if (base == 0) {
    base = text[i] == '0' ? 8 : 10;
  }
  digit = __ult_digit(text[i]);
  while (digit < base) {
    /* Below the first bound it fits whatever the base is. */
    if (value >= 512409557603043100ULL && (*large || value > (0xffffffffffffffffULL - digit) / base))
      *large = 1;
    else
      value = value * base + digit;
    i++;
    *end = i;
    digit = __ult_digit(text[i]);
  }
  /* POSIX: there may be an error where there is no number. */
  if (*end == 0)
    __ult_may_fail();
  return value;
}

/* 7.22.1.4: what does not fit is the nearest number that does, and 34 is ERANGE. */
static long long __ult_signed(const char *text, char **end, int base, long long highest) {
  int negative;
  int large;
  __ult_size length;
  unsigned long long value = __ult_number(text, base, &negative, &length, &large);
  if (end != 0)
    *end = (char *)text + length;
  if (large || value > (unsigned long long)highest + negative) {
    __ult_set_errno(34);
    return negative ? -highest - 1 : highest;
  }
  return negative ? -(long long)(value - (value != 0)) - (value != 0) : (long long)value;
}

static unsigned long long __ult_unsigned(const char *text, char **end, int base, unsigned long long highest) {
  int negative;
  int large;
  __ult_size length;
  unsigned long long value = __ult_number(text, base, &negative, &length, &large);
  if (end != 0)
    *end = (char *)text + length;
  if (large || value > highest) {
    __ult_set_errno(34);
    return highest;
  }
  return negative ? -value : value;
}

long long strtoll(const char *restrict text, char **restrict end, int base) {
  return __ult_signed(text, end, base, 0x7fffffffffffffffLL);
}

long strtol(const char *restrict text, char **restrict end, int base) {
  return (long)__ult_signed(text, end, base, (long long)((unsigned long)-1 / 2));
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base) {
  return __ult_unsigned(text, end, base, 0xffffffffffffffffULL);
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
  return (unsigned long)__ult_unsigned(text, end, base, (unsigned long)-1);
}

/* The decimal number at the start of a text (7.22.1.2). It has to fit (7.22.1p1). */
static long long __ult_decimal(const char *text, unsigned long long highest) {
  unsigned long long value = 0;
  int negative = 0;
  int large = 0;
  /* Whether there may be white space and a sign yet. */
  int begins = 1;
  __ult_size i = 0;
  while ((text[i] >= '0' && text[i] <= '9') ||
         (begins && (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r') || text[i] == '-' || text[i] == '+'))) {
    if (text[i] >= '0' && text[i] <= '9') {
      if (value >= 1000000000000000000ULL)
        large = 1;
      value = 10 * value + (unsigned long long)(text[i] - '0');
      begins = 0;
    } else if (text[i] == '-' || text[i] == '+') {
      negative = text[i] == '-';
      begins = 0;
    }
    i++;
  }
  __ult_fits(!large && value <= highest + (unsigned long long)negative);
  return (long long)(negative ? 0 - value : value);
}

int atoi(const char *text) {
  return (int)__ult_decimal(text, (unsigned int)-1 / 2);
}

long atol(const char *text) {
  return (long)__ult_decimal(text, (unsigned long)-1 / 2);
}

long long atoll(const char *text) {
  return __ult_decimal(text, (unsigned long long)-1 / 2);
}

/* 7.22.1.3: how many characters at the start of a text the number there may have, at most: those that are in no number come
 * behind it. Which number it is, is not modelled. */
static __ult_size __ult_real(const char *text) {
  __ult_size length = 0;
  __ult_size end = __ult_any_size();
  while (text[length] == ' ' || (text[length] >= '\t' && text[length] <= '\r'))
    length++;
  __ult_approximated();
  while (__ult_digit(text[length]) < 36 || text[length] == '+' || text[length] == '-' || text[length] == '.' ||
         text[length] == '(' || text[length] == ')' || text[length] == '_')
    length++;
  __ult_may_fail();
  __ult_assume(end <= length);
  return end;
}

double strtod(const char *restrict text, char **restrict end) {
  __ult_size length = __ult_real(text);
  if (end != 0)
    *end = (char *)text + length;
  return __ult_any_double();
}

float strtof(const char *restrict text, char **restrict end) {
  return (float)strtod(text, end);
}

/* 7.22.1.1 */
double atof(const char *text) {
  __ult_real(text);
  return __ult_any_double();
}

/* 7.22.5.1: which of several elements that match is found is open. */
void *bsearch(const void *key, const void *base, __ult_size count, __ult_size size,
              int (*compare)(const void *, const void *)) {
  const __ult_element *elements = base;
  __ult_size found = __ult_any_size();
  __ult_size i;
  if (size != sizeof(__ult_element))
    __ult_unsupported("bsearch in an array of another type");
  __ult_needs(base, count <= (__ult_size)-1 / sizeof(__ult_element) ? count * sizeof(__ult_element) : (__ult_size)-1);
  if (found < count && compare(key, elements + found) == 0)
    return (void *)(elements + found);
  for (i = 0; i < count; i++)
    __ult_assume(compare(key, elements + i) != 0);
  return 0;
}

/* The same where the comparison does more than compare: which elements are compared, and how often, is open. */
void *__ult_bsearch_any(const void *key, const void *base, __ult_size count, __ult_size size,
                        int (*compare)(const void *, const void *)) {
  const __ult_element *elements = base;
  __ult_size i;
  if (size != sizeof(__ult_element))
    __ult_unsupported("bsearch in an array of another type");
  __ult_needs(base, count <= (__ult_size)-1 / sizeof(__ult_element) ? count * sizeof(__ult_element) : (__ult_size)-1);
  if (count == 0)
    return 0;
  __ult_approximated();
  do {
    i = __ult_any_size();
    __ult_assume(i < count);
    if (compare(key, elements + i) == 0 && __ult_any_int())
      return (void *)(elements + i);
  } while (__ult_any_int());
  return 0;
}

/* 7.22.5.2: the order of elements that compare as equal is open. The comparison gets pointers into the array. */
void qsort(void *base, __ult_size count, __ult_size size, int (*compare)(const void *, const void *)) {
  __ult_element *elements = base;
  __ult_size i;
  if (size != sizeof(__ult_element))
    __ult_unsupported("qsort of an array of another type");
  __ult_needs(base, count <= (__ult_size)-1 / sizeof(__ult_element) ? count * sizeof(__ult_element) : (__ult_size)-1);
  for (i = 1; i < count; i++) {
    __ult_size j = i;
    while (j > 0) {
      __ult_element moved;
      int order = compare(elements + (j - 1), elements + j);
      if (order < 0 || (order == 0 && __ult_any_int()))
        break;
      moved = elements[j];
      elements[j] = elements[j - 1];
      elements[j - 1] = moved;
      j--;
    }
  }
}

/* The same where the comparison does more than compare: which elements are compared, in which order and how often, is
 * open. */
void __ult_qsort_any(void *base, __ult_size count, __ult_size size, int (*compare)(const void *, const void *)) {
  __ult_element *elements = base;
  if (size != sizeof(__ult_element))
    __ult_unsupported("qsort of an array of another type");
  __ult_needs(base, count <= (__ult_size)-1 / sizeof(__ult_element) ? count * sizeof(__ult_element) : (__ult_size)-1);
  if (count < 2)
    return;
  __ult_approximated();
  while (__ult_any_int()) {
    __ult_size i = __ult_any_size();
    __ult_size j = __ult_any_size();
    __ult_element moved;
    __ult_assume(i < count && j < count);
    compare(elements + i, elements + j);
    if (__ult_any_int()) {
      moved = elements[i];
      elements[i] = elements[j];
      elements[j] = moved;
    }
  }
}

typedef void (*__ult_handler)(void);
static __ult_handler __ult_handlers[1024];
static int __ult_handlers_count;
static int __ult_runs_handlers;

/* 7.22.4.2: at least 32 functions can be registered; here there is room for more, as everywhere. */
int atexit(void (*function)(void)) {
  if (__ult_handlers_count == 1024)
    __ult_unsupported("more than 1024 functions for atexit");
  __ult_handlers[__ult_handlers_count] = function;
  __ult_handlers_count++;
  return 0;
}

/* The first thing that exit does: what was registered last is called first (7.22.4.4), also what is registered
 * meanwhile. None of them may call exit. */
static void __ult_run_handlers(void) {
  if (__ult_runs_handlers)
    __ult_unsupported("exit in a function that exit calls");
  while (__ult_handlers_count > 0) {
    __ult_runs_handlers = 1;
    __ult_handlers_count--;
    __ult_handlers[__ult_handlers_count]();
  }
}

/* 7.22.4.4 */
void exit(int status) {
  __ult_run_handlers();
  _Exit(status);
}

/* The library that comes with `ult` against the one of this system, on random inputs. The test puts the library's text in
 * place of the line that says so, with the names in the macros below, and ELEMENT is the type of the elements. */
#define _GNU_SOURCE
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static unsigned long long state = 88172645463325252ULL;

static unsigned long long next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static unsigned below(unsigned limit) { return (unsigned)(next() >> 20) % limit; }

/* What is open is tried until it fits; what is not covered is skipped. */
static jmp_buf again;
static long refused;

/* What comes from outside is what a test says, as long as it does. */
static int script[64];
static unsigned written, played;
static size_t sizes[2];
static unsigned sizes_written, sizes_played;

static void say(int number) { script[written++] = number; }

static void forget(void) { written = played = sizes_written = sizes_played = 0; }

int __ult_any_int(void) {
  if (played < written)
    return script[played++];
  static const int numbers[] = {0, 1, -1, 255, 2147483647};
  return below(2) ? numbers[below(5)] : (int)next();
}
size_t __ult_any_size(void) {
  if (sizes_played < sizes_written)
    return sizes[sizes_played++];
  return below(2) ? next() : below(6);
}
long long __ult_any_long_long(void) { return (long long)next(); }
char *__ult_any_string(void) { return "text"; }
double __ult_any_double(void) { return 0; }
static int own_errno;
void __ult_set_errno(int number) { own_errno = number; }
void __ult_may_fail(void) {}
void __ult_fits(int condition) {}
void __ult_approximated(void) {}
void __ult_in_part(void) {}
void __ult_reads_strings(void) {}
void __ult_assume(int condition) {
  if (!condition)
    longjmp(again, 1);
}
/* What is the same for the same arguments is any of it where they are compared once. */
int __ult_same_number(int function, int argument) { return __ult_any_int(); }
int __ult_same_order(int function, const void *left, const void *right, int first, int second) {
  return __ult_any_int();
}
int __ult_same_process(void) { return 1; }
int __ult_same_random(int function, unsigned seed, unsigned long long place) { return __ult_any_int(); }
/* Streams are compared by what a test says that they give, so they remember nothing. */
int __ult_kept_ended(const void *stream) { return 0; }
int __ult_kept_failed(const void *stream) { return 0; }
int __ult_kept_pushed(const void *stream) { return 0; }
int __ult_kept_unread(const void *stream) { return 0; }
void __ult_keep_ended(const void *stream, int value) {}
void __ult_keep_failed(const void *stream, int value) {}
void __ult_keep_pushed(const void *stream, int value) {}
void __ult_keep_unread(const void *stream, int value) {}
void __ult_needs(const void *object, size_t size) {}
void __ult_reads(const void *object, size_t size) {}
void __ult_uses(const void *stream) {}
int __ult_same_object(const void *left, const void *right) { return 1; }
void __ult_unsupported(const char *words) {
  refused++;
  longjmp(again, 2);
}

/* LIBRARY */

static long failures, comparisons;
static long long mine, theirs;

static void compare(const char *what, const char *text, const char *other) {
  comparisons++;
  if (mine == theirs)
    return;
  if (failures++ < 10)
    printf("%s(\"%s\", \"%s\"): %lld, not %lld\n", what, text, other, mine, theirs);
}

static int sign(int number) { return (number > 0) - (number < 0); }

#define CHECK(name, left, right)                                                                    \
  do {                                                                                              \
    int how;                                                                                        \
    theirs = (long long)(right);                                                                    \
    while ((how = setjmp(again)) == 1)                                                              \
      ;                                                                                             \
    if (how == 0) {                                                                                 \
      mine = (long long)(left);                                                                     \
      compare(name, text, other);                                                                   \
    }                                                                                               \
  } while (0)

static char text[40], other[40], buffers[2][64];

static void random_text(char *to, const char *alphabet, unsigned longest) {
  unsigned length = below(longest + 1);
  for (unsigned i = 0; i < length; i++)
    to[i] = alphabet[below(strlen(alphabet))];
  to[length] = 0;
}

static void reset(void) {
  memset(buffers, 'x', sizeof buffers);
  strcpy(buffers[0], text);
  strcpy(buffers[1], text);
}

#define SAME (memcmp(buffers[0], buffers[1], sizeof buffers[0]) == 0)
/* Both change a buffer and return a pointer into it. */
#define CHANGE(name, call, reference)                                                               \
  do {                                                                                              \
    char *own = buffers[0], *system = buffers[1];                                                   \
    reset();                                                                                        \
    long there = (char *)(reference) - buffers[1];                                                  \
    long here = (char *)(call) - buffers[0];                                                        \
    mine = here * 2 + SAME;                                                                         \
    theirs = there * 2 + 1;                                                                         \
    compare(name, text, other);                                                                     \
  } while (0)

static int order(const void *left, const void *right) {
  ELEMENT a = *(const ELEMENT *)left, b = *(const ELEMENT *)right;
  return (a > b) - (a < b);
}

static void strings(void) {
  random_text(text, "ab\xe4 ", 9);
  random_text(other, "ab\xe4", 3);
  size_t n = below(12);
  int c = below(3) ? "ab\xe4"[below(3)] : 0;
  CHECK("strlen", ult_strlen(text), strlen(text));
  CHECK("strnlen", ult_strnlen(text, n), strnlen(text, n));
  CHECK("strcmp", sign(ult_strcmp(text, other)), sign(strcmp(text, other)));
  CHECK("strcoll", sign(ult_strcoll(text, other)), sign(strcmp(text, other)));
  CHECK("strncmp", sign(ult_strncmp(text, other, n)), sign(strncmp(text, other, n)));
  CHECK("strchr", ult_strchr(text, c), strchr(text, c));
  CHECK("strrchr", ult_strrchr(text, c), strrchr(text, c));
  CHECK("strspn", ult_strspn(text, other), strspn(text, other));
  CHECK("strcspn", ult_strcspn(text, other), strcspn(text, other));
  CHECK("strpbrk", ult_strpbrk(text, other), strpbrk(text, other));
  CHECK("strstr", ult_strstr(text, other), strstr(text, other));
  n = below(4);
  CHECK("memchr", ult_memchr(text, c, n), memchr(text, c, n));
  CHECK("memcmp", sign(ult_memcmp(text, other, n)), sign(memcmp(text, other, n)));
  CHECK("bcmp", ult_bcmp(text, other, n) != 0, memcmp(text, other, n) != 0);
  n = below(12);
  CHANGE("strcpy", ult_strcpy(own, other), strcpy(system, other));
  CHANGE("stpcpy", ult_stpcpy(own, other), stpcpy(system, other));
  CHANGE("strncpy", ult_strncpy(own, other, n), strncpy(system, other, n));
  CHANGE("strcat", ult_strcat(own, other), strcat(system, other));
  CHANGE("strncat", ult_strncat(own, other, n), strncat(system, other, n));
  CHANGE("stpncpy", ult_stpncpy(own, other, n), stpncpy(system, other, n));
  CHECK("memrchr", ult_memrchr(text, c, n % 4), memrchr(text, c, n % 4));
  CHECK("strchrnul", ult_strchrnul(text, c), strchrnul(text, c));
  reset();
  char *rest[2] = {buffers[0], buffers[1]};
  for (int i = 0; i < 6; i++) {
    char *a = ult_strsep(&rest[0], other), *b = strsep(&rest[1], other);
    mine = (a ? a - buffers[0] : -1) * 2 + SAME + 200 * (rest[0] ? rest[0] - buffers[0] : -1);
    theirs = (b ? b - buffers[1] : -1) * 2 + 1 + 200 * (rest[1] ? rest[1] - buffers[1] : -1);
    compare("strsep", text, other);
  }
  reset();
  rest[0] = rest[1] = 0;
  for (int i = 0; i < 4; i++) {
    char *a = ult_strtok_r(i ? 0 : buffers[0], other, &rest[0]);
    char *b = strtok_r(i ? 0 : buffers[1], other, &rest[1]);
    mine = (a ? a - buffers[0] : -1) * 2 + SAME;
    theirs = (b ? b - buffers[1] : -1) * 2 + 1;
    compare("strtok_r", text, other);
  }
  reset();
  char *own = buffers[0], *system = buffers[1];
  for (int i = 0; i < 4; i++) {
    char *a = ult_strtok(own, other), *b = strtok(system, other);
    mine = (a ? a - buffers[0] : -1) * 2 + SAME;
    theirs = (b ? b - buffers[1] : -1) * 2 + 1;
    compare("strtok", text, other);
    if (b == 0)
      break;
    own = system = 0;
  }
  char *copy = ult_strdup(text);
  mine = strcmp(copy, text), theirs = 0;
  compare("strdup", text, other);
  free(copy);
  copy = ult_strndup(text, n);
  mine = strncmp(copy, text, n) == 0 && strlen(copy) == strnlen(text, n), theirs = 1;
  compare("strndup", text, other);
  free(copy);
  random_text(text, "aBbA-", 4);
  random_text(other, "aBbA-", 4);
  CHECK("strcasecmp", sign(ult_strcasecmp(text, other)), sign(strcasecmp(text, other)));
  CHECK("strncasecmp", sign(ult_strncasecmp(text, other, n)), sign(strncasecmp(text, other, n)));
}

static wchar_t wide_text[40], wide_other[40], wide_buffers[2][64];

static void widen(wchar_t *to, const char *from) {
  /* Also what is no byte, and what is negative. */
  do
    *to++ = *from == 'b' ? 0x20ac : *from == '\xe4' ? -5 : *from;
  while (*from++ != 0);
}

#define WIDE_SAME (wmemcmp(wide_buffers[0], wide_buffers[1], 64) == 0)
#define CHANGE_WIDE(name, call, reference)                                                          \
  do {                                                                                              \
    wchar_t *own = wide_buffers[0], *system = wide_buffers[1];                                      \
    wmemset(wide_buffers[0], 'x', 128);                                                             \
    wcscpy(own, wide_text);                                                                         \
    wcscpy(system, wide_text);                                                                      \
    long there = (wchar_t *)(reference) - wide_buffers[1];                                          \
    long here = (wchar_t *)(call) - wide_buffers[0];                                                \
    mine = here * 2 + WIDE_SAME;                                                                    \
    theirs = there * 2 + 1;                                                                         \
    compare(name, text, other);                                                                     \
  } while (0)

static void wide_strings(void) {
  random_text(text, "ab\xe4 ", 9);
  random_text(other, "ab\xe4", 3);
  widen(wide_text, text);
  widen(wide_other, other);
  static size_t n, to;
  static wchar_t c;
  const wchar_t *one = wide_text, *two = wide_other;
  n = below(12);
  c = below(3) ? wide_other[0] : 0;
  CHECK("wcslen", ult_wcslen(one), wcslen(one));
  CHECK("wcsnlen", ult_wcsnlen(one, n), wcsnlen(one, n));
  CHECK("wcscmp", sign(ult_wcscmp(one, two)), sign(wcscmp(one, two)));
  CHECK("wcsncmp", sign(ult_wcsncmp(one, two, n)), sign(wcsncmp(one, two, n)));
  CHECK("wcschr", ult_wcschr(one, c), wcschr(one, c));
  CHECK("wcsrchr", ult_wcsrchr(one, c), wcsrchr(one, c));
  CHECK("wcsstr", ult_wcsstr(one, two), wcsstr(one, two));
  CHANGE_WIDE("wcscpy", ult_wcscpy(own, two), wcscpy(system, two));
  CHANGE_WIDE("wcsncpy", ult_wcsncpy(own, two, n), wcsncpy(system, two, n));
  CHANGE_WIDE("wcscat", ult_wcscat(own, two), wcscat(system, two));
  CHANGE_WIDE("wcsncat", ult_wcsncat(own, two, n), wcsncat(system, two, n));
  CHANGE_WIDE("wmemset", ult_wmemset(own, c, n), wmemset(system, c, n));
  CHANGE_WIDE("wmemcpy", ult_wmemcpy(own + 9, two, n % 4), wmemcpy(system + 9, two, n % 4));
  to = below(4);
  CHANGE_WIDE("wmemmove", ult_wmemmove(own + to, own + 2, n), wmemmove(system + to, system + 2, n));
  n %= 4;
  CHECK("wmemcmp", sign(ult_wmemcmp(one, two, n)), sign(wmemcmp(one, two, n)));
  CHECK("wmemchr", ult_wmemchr(one, c, n), wmemchr(one, c, n));
  wchar_t *copy = ult_wcsdup(one);
  mine = wcscmp(copy, one), theirs = 0;
  compare("wcsdup", text, other);
  free(copy);
}

static void memory(void) {
  text[0] = other[0] = 0;
  unsigned most = sizeof(ELEMENT) > 4 ? 2 : 4;
  size_t n = below(most + 1) * sizeof(ELEMENT);
  size_t from = below(most) * sizeof(ELEMENT), to = below(most) * sizeof(ELEMENT);
  int value = (int)next();
  for (size_t i = 0; i < sizeof buffers[0]; i++)
    text[i % 8] = buffers[0][i] = buffers[1][i] = (char)next();
  text[0] = 0;
  ult_memmove(buffers[0] + to, buffers[0] + from, n);
  memmove(buffers[1] + to, buffers[1] + from, n);
  mine = SAME, theirs = 1;
  compare("memmove", text, other);
  ult_memcpy(buffers[0] + 32 + to, buffers[0] + from, n);
  memcpy(buffers[1] + 32 + to, buffers[1] + from, n);
  mine = SAME, theirs = 1;
  compare("memcpy", text, other);
  mine = (char *)ult_mempcpy(buffers[0] + 32, buffers[1], n) - buffers[0], theirs = 32 + (long)n;
  compare("mempcpy", text, other);
  memcpy(buffers[1], buffers[0], sizeof buffers[0]);
  __ult_memset_integer(buffers[0] + to, value, n);
  memset(buffers[1] + to, value, n);
  mine = SAME, theirs = 1;
  compare("memset of integers", text, other);
  ult_memset(buffers[0] + from, value, n);
  memset(buffers[1] + from, value, n);
  __ult_memset_zero(buffers[0] + to, 0, n);
  memset(buffers[1] + to, 0, n);
  mine = SAME, theirs = 1;
  compare("memset", text, other);
}

static void sorting(void) {
  ELEMENT a[6], b[6];
  static ELEMENT key;
  size_t n = below(7);
  for (size_t i = 0; i < n; i++)
    a[i] = b[i] = (ELEMENT)below(5);
  ult_qsort(a, n, sizeof *a, order);
  qsort(b, n, sizeof *b, order);
  mine = memcmp(a, b, n * sizeof *a) == 0, theirs = 1;
  compare("qsort", "", "");
  key = (ELEMENT)below(5);
  static ELEMENT *found;
  CHECK("bsearch", ((found = ult_bsearch(&key, b, n, sizeof *b, order)) != 0 ? *found == key : 2),
        (bsearch(&key, b, n, sizeof *b, order) != 0 ? 1 : 2));
}

static void numbers(void) {
  static unsigned long long x;
  static char *end, *end_there;
  static int base;
  text[0] = other[0] = 0;
  x = next() >> below(64);
  if (x != 0) {
    CHECK("clz", (unsigned)x ? ult_clz((unsigned)x) : 0, (unsigned)x ? __builtin_clz((unsigned)x) : 0);
    CHECK("ctz", (unsigned)x ? ult_ctz((unsigned)x) : 0, (unsigned)x ? __builtin_ctz((unsigned)x) : 0);
    CHECK("clzll", ult_clzll(x), __builtin_clzll(x));
    CHECK("ctzll", ult_ctzll(x), __builtin_ctzll(x));
    CHECK("clzl", (unsigned long)x ? ult_clzl(x) : 0, (unsigned long)x ? __builtin_clzl(x) : 0);
    CHECK("ctzl", (unsigned long)x ? ult_ctzl(x) : 0, (unsigned long)x ? __builtin_ctzl(x) : 0);
  }
  CHECK("popcount", ult_popcount((unsigned)x), __builtin_popcount((unsigned)x));
  CHECK("popcountl", ult_popcountl(x), __builtin_popcountl(x));
  CHECK("popcountll", ult_popcountll(x), __builtin_popcountll(x));
  CHECK("parity", ult_parity((unsigned)x), __builtin_parity((unsigned)x));
  CHECK("parityl", ult_parityl(x), __builtin_parityl(x));
  CHECK("parityll", ult_parityll(x), __builtin_parityll(x));
  CHECK("ffs", ult_ffs((int)x), __builtin_ffs((int)x));
  CHECK("ffsl", ult_ffsl((long)x), __builtin_ffsl((long)x));
  CHECK("ffsll", ult_ffsll((long long)x), __builtin_ffsll((long long)x));
  CHECK("clrsb", ult_clrsb((int)x), __builtin_clrsb((int)x));
  CHECK("clrsbll", ult_clrsbll((long long)x), __builtin_clrsbll((long long)x));
  CHECK("bswap16", ult_bswap16((unsigned short)x), __builtin_bswap16((unsigned short)x));
  CHECK("bswap32", ult_bswap32((unsigned)x), __builtin_bswap32((unsigned)x));
  CHECK("bswap64", ult_bswap64(x), __builtin_bswap64(x));
  CHECK("abs", ult_abs((int)(x >> 34)), abs((int)(x >> 34)));
  CHECK("labs", ult_labs(-(long)(x >> 34)), labs(-(long)(x >> 34)));
  CHECK("llabs", ult_llabs(-(long long)(x >> 2)), llabs(-(long long)(x >> 2)));
  CHECK("div", ult_div((int)x, 7).rem * 11LL + ult_div((int)x, 7).quot, div((int)x, 7).rem * 11LL + div((int)x, 7).quot);
  CHECK("ldiv", ult_ldiv((long)(x >> 8), 7).rem, ldiv((long)(x >> 8), 7).rem);
  CHECK("lldiv", ult_lldiv((long long)(x >> 8), 7).quot, lldiv((long long)(x >> 8), 7).quot);
  static const int bases[] = {0, 2, 8, 10, 16, 36};
  base = bases[below(6)];
  random_text(text, below(2) ? " +-0123456789" : "\t-0xX1fzZ9", 9);
  CHECK("strtol", ult_strtol(text, &end, base), strtol(text, &end_there, base));
  mine = end - text, theirs = end_there - text;
  compare("the end of strtol", text, other);
  CHECK("strtoll", ult_strtoll(text, 0, base), strtoll(text, 0, base));
  CHECK("strtoul", ult_strtoul(text, &end, base), strtoul(text, 0, base));
  CHECK("strtoull", ult_strtoull(text, 0, base), strtoull(text, 0, base));
  CHECK("atoi", ult_atoi(text), atoi(text));
  CHECK("atol", ult_atol(text), atol(text));
  CHECK("atoll", ult_atoll(text), atoll(text));
}

/* Numbers about as large as their types allow, and whether there is an error. */
static void large_numbers(void) {
  static char *end, *end_there;
  static int base;
  static const int bases[] = {0, 3, 8, 10, 16, 36};
  static const char *const bounds[] = {"9223372036854775807", "-9223372036854775808", "18446744073709551615",
                                       "0x7fffffffffffffff", "-0x8000000000000000", "2147483648"};
  base = bases[below(6)];
  other[0] = 0;
  if (below(2)) {
    strcpy(text, bounds[below(6)]);
    text[strlen(text) - 1] += (int)below(3) - 1;
  } else {
    text[0] = "-+1"[below(3)];
    random_text(text + 1, "0123456789", 30);
  }
#define LARGE(name)                                                                                 \
  own_errno = errno = 0;                                                                            \
  CHECK(#name, ult_##name(text, &end, base), name(text, &end_there, base));                         \
  mine = (end - text) * 1000L + own_errno, theirs = (end_there - text) * 1000L + errno;             \
  /* Where there is no number, there may be an error. */                                            \
  if (end != text)                                                                                  \
  compare("the end and the error of " #name, text, other)
  LARGE(strtol);
  LARGE(strtoll);
  LARGE(strtoul);
  LARGE(strtoull);
}


static void characters(void) {
  static int c;
  text[0] = other[0] = 0;
  for (c = -1; c < 256; c++) {
#define KIND(name) CHECK(#name, !ult_##name(c), !name(c))
    KIND(isalnum);
    KIND(isalpha);
    KIND(isblank);
    KIND(iscntrl);
    KIND(isdigit);
    KIND(isgraph);
    KIND(islower);
    KIND(isprint);
    KIND(ispunct);
    KIND(isspace);
    KIND(isupper);
    KIND(isxdigit);
    CHECK("tolower", ult_tolower(c), tolower(c));
    CHECK("toupper", ult_toupper(c), toupper(c));
  }
}

int main(void) {
  characters();
  for (int round = 0; round < 3000; round++) {
    /* Elements of one byte are the general case; the others concern memory only. */
    if (sizeof(ELEMENT) == 1) {
      strings();
      wide_strings();
      numbers();
      large_numbers();
    }
    memory();
    sorting();
  }
  printf("%ld comparisons, %ld refused, %ld failures\n", comparisons, refused, failures);
  return failures != 0 || comparisons < 20000 || refused > comparisons / 100;
}

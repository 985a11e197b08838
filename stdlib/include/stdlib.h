/* C11 7.22 */
#ifndef ULT_STDLIB_H
#define ULT_STDLIB_H

#include <features.h>

#ifndef ULT_SIZE_T
#define ULT_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
#ifndef NULL
#define NULL ((void *)0)
#endif
#ifndef ULT_WCHAR_T
#define ULT_WCHAR_T
typedef __WCHAR_TYPE__ wchar_t;
#endif

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 1

typedef struct {
  int quot;
  int rem;
} div_t;
typedef struct {
  long quot;
  long rem;
} ldiv_t;
typedef struct {
  long long quot;
  long long rem;
} lldiv_t;

extern void *malloc(size_t size);
extern void *calloc(size_t count, size_t size);
extern void *realloc(void *object, size_t size);
extern void *aligned_alloc(size_t alignment, size_t size);
extern int posix_memalign(void **result, size_t alignment, size_t size);
extern void *reallocarray(void *object, size_t count, size_t size);
extern void free(void *object);

extern void abort(void) __attribute__((__noreturn__));
extern void exit(int status) __attribute__((__noreturn__));
extern void _Exit(int status) __attribute__((__noreturn__));
extern void quick_exit(int status) __attribute__((__noreturn__));
extern int atexit(void (*function)(void));
extern int at_quick_exit(void (*function)(void));
extern char *getenv(const char *name);
extern int setenv(const char *name, const char *value, int replace);
extern int unsetenv(const char *name);
extern int putenv(char *text);
extern int clearenv(void);
#ifdef _GNU_SOURCE
extern char *secure_getenv(const char *name);
#endif
extern int system(const char *command);
extern int mkstemp(char *pattern);
extern char *mkdtemp(char *pattern);
extern char *mktemp(char *pattern);
extern char *realpath(const char *restrict name, char *restrict result);

extern int abs(int number);
extern long labs(long number);
extern long long llabs(long long number);
extern div_t div(int number, int divisor);
extern ldiv_t ldiv(long number, long divisor);
extern lldiv_t lldiv(long long number, long long divisor);

extern int rand(void);
extern void srand(unsigned int seed);
extern long random(void);
extern void srandom(unsigned int seed);
extern int rand_r(unsigned int *seed);
extern double drand48(void);
extern double erand48(unsigned short state[3]);
extern long lrand48(void);
extern long nrand48(unsigned short state[3]);
extern long mrand48(void);
extern long jrand48(unsigned short state[3]);
extern void srand48(long seed);

extern double atof(const char *text);
extern int atoi(const char *text);
extern long atol(const char *text);
extern long long atoll(const char *text);
extern double strtod(const char *text, char **end);
extern float strtof(const char *text, char **end);
extern long double strtold(const char *text, char **end);
extern long strtol(const char *text, char **end, int base);
extern unsigned long strtoul(const char *text, char **end, int base);
extern long long strtoll(const char *text, char **end, int base);
extern unsigned long long strtoull(const char *text, char **end, int base);

extern void qsort(void *base, size_t count, size_t size,
                  int (*compare)(const void *, const void *));
extern void *bsearch(const void *key, const void *base, size_t count, size_t size,
                     int (*compare)(const void *, const void *));

extern int mblen(const char *text, size_t count);
extern int mbtowc(wchar_t *restrict to, const char *restrict from, size_t count);
extern int wctomb(char *to, wchar_t character);
extern size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t count);
extern size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t count);

/* The rest of what glibc defines. */
#define BIG_ENDIAN 4321
#define BYTE_ORDER 1234
#define FD_SETSIZE 1024
#define LITTLE_ENDIAN 1234
#define PDP_ENDIAN 3412
#define WCONTINUED 8
#define WEXITED 4
#define WNOHANG 1
#define WNOWAIT 0x01000000
#define WSTOPPED 2
#define WUNTRACED 2

#endif

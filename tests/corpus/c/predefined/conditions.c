//# expect: safe
// What compilers and headers define decides conditions.
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <time.h>
#include <wchar.h>
#if WCHAR_MAX > 0xffff && SIG_ATOMIC_MAX == 0x7fffffff && __SIZE_MAX__ > 0xffff && __DBL_MANT_DIG__ == 53
#define WIDE 1
#else
#define WIDE 0
#endif
#if defined(PRIdFAST32) && defined(TIME_UTC) && defined(FP_ILOGB0) && ENOTDIR == 20
#define HEADERS 1
#endif
#ifdef __GLIBC__
#define GLIBC (__GLIBC__ >= 2)
#endif
#if __has_include(<wchar.h>)
#define HAS 1
#endif
int main(void) {
  wchar_t last = WCHAR_MAX;
  assert(WIDE && HEADERS && GLIBC && HAS && TIME_UTC == 1);
  assert(sizeof(__INTPTR_TYPE__) == sizeof(void *) && (__UINTPTR_MAX__ >> 1) == __INTPTR_MAX__);
  assert(last > 0xffff && __FLT_MANT_DIG__ == 24 && __BIGGEST_ALIGNMENT__ == 16);
}

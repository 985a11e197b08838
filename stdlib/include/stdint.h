/* C11 7.20 */
#ifndef ULT_STDINT_H
#define ULT_STDINT_H

#include <features.h>

#ifndef ULT_INT8_T
#define ULT_INT8_T
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
#ifdef __LP64__
typedef long int64_t;
#else
typedef long long int64_t;
#endif
#endif
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
#ifdef __LP64__
typedef unsigned long uint64_t;
#else
typedef unsigned long long uint64_t;
#endif

typedef int8_t int_least8_t;
typedef uint8_t uint_least8_t;
typedef int16_t int_least16_t;
typedef uint16_t uint_least16_t;
typedef int32_t int_least32_t;
typedef uint32_t uint_least32_t;
typedef int64_t int_least64_t;
typedef uint64_t uint_least64_t;

typedef signed char int_fast8_t;
typedef unsigned char uint_fast8_t;
typedef __PTRDIFF_TYPE__ int_fast16_t;
typedef __SIZE_TYPE__ uint_fast16_t;
typedef __PTRDIFF_TYPE__ int_fast32_t;
typedef __SIZE_TYPE__ uint_fast32_t;
typedef int64_t int_fast64_t;
typedef uint64_t uint_fast64_t;

#ifndef ULT_INTPTR_T
#define ULT_INTPTR_T
typedef __PTRDIFF_TYPE__ intptr_t;
#endif
typedef __SIZE_TYPE__ uintptr_t;
typedef int64_t intmax_t;
typedef uint64_t uintmax_t;

#ifdef __LP64__
#define INT64_C(value) value##L
#define UINT64_C(value) value##UL
#else
#define INT64_C(value) value##LL
#define UINT64_C(value) value##ULL
#endif
#define INT8_C(value) value
#define UINT8_C(value) value
#define INT16_C(value) value
#define UINT16_C(value) value
#define INT32_C(value) value
#define UINT32_C(value) value##U
#define INTMAX_C(value) INT64_C(value)
#define UINTMAX_C(value) UINT64_C(value)

#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MIN (-INT64_C(9223372036854775807) - 1)
#define INT64_MAX INT64_C(9223372036854775807)
#define UINT64_MAX UINT64_C(18446744073709551615)

#define INT_LEAST8_MIN INT8_MIN
#define INT_LEAST8_MAX INT8_MAX
#define UINT_LEAST8_MAX UINT8_MAX
#define INT_LEAST16_MIN INT16_MIN
#define INT_LEAST16_MAX INT16_MAX
#define UINT_LEAST16_MAX UINT16_MAX
#define INT_LEAST32_MIN INT32_MIN
#define INT_LEAST32_MAX INT32_MAX
#define UINT_LEAST32_MAX UINT32_MAX
#define INT_LEAST64_MIN INT64_MIN
#define INT_LEAST64_MAX INT64_MAX
#define UINT_LEAST64_MAX UINT64_MAX

#ifdef __LP64__
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define SIZE_MAX 18446744073709551615UL
#else
#define INTPTR_MIN INT32_MIN
#define INTPTR_MAX INT32_MAX
#define UINTPTR_MAX UINT32_MAX
#define SIZE_MAX 4294967295U
#endif
#define PTRDIFF_MIN INTPTR_MIN
#define PTRDIFF_MAX INTPTR_MAX
#define INT_FAST8_MIN INT8_MIN
#define INT_FAST8_MAX INT8_MAX
#define UINT_FAST8_MAX UINT8_MAX
#define INT_FAST16_MIN INTPTR_MIN
#define INT_FAST16_MAX INTPTR_MAX
#define UINT_FAST16_MAX UINTPTR_MAX
#define INT_FAST32_MIN INTPTR_MIN
#define INT_FAST32_MAX INTPTR_MAX
#define UINT_FAST32_MAX UINTPTR_MAX
#define INT_FAST64_MIN INT64_MIN
#define INT_FAST64_MAX INT64_MAX
#define UINT_FAST64_MAX UINT64_MAX
#define INTMAX_MIN INT64_MIN
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX

/* The rest of what glibc defines. */
#define SIG_ATOMIC_MAX 2147483647
#define SIG_ATOMIC_MIN (-2147483647-1)
#ifdef __LP64__
#define WCHAR_MAX 0x7fffffff
#else
#define WCHAR_MAX 0x7fffffffL
#endif
#ifdef __LP64__
#define WCHAR_MIN (-0x7fffffff - 1)
#else
#define WCHAR_MIN (-0x7fffffffL - 1)
#endif
#define WINT_MAX (4294967295u)
#define WINT_MIN (0u)

#endif

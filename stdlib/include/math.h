/* C11 7.12 */
#ifndef ULT_MATH_H
#define ULT_MATH_H

#include <features.h>

#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define HUGE_VALL (__builtin_huge_vall())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

typedef float float_t;
typedef double double_t;

#define fpclassify(value) \
  __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, value)
#define isfinite(value) __builtin_isfinite(value)
#define isinf(value) __builtin_isinf_sign(value)
#define isnan(value) __builtin_isnan(value)
#define isnormal(value) __builtin_isnormal(value)
#define signbit(value) __builtin_signbit(value)
#define isgreater(left, right) __builtin_isgreater(left, right)
#define isgreaterequal(left, right) __builtin_isgreaterequal(left, right)
#define isless(left, right) __builtin_isless(left, right)
#define islessequal(left, right) __builtin_islessequal(left, right)
#define islessgreater(left, right) __builtin_islessgreater(left, right)
#define isunordered(left, right) __builtin_isunordered(left, right)

extern double acos(double value);
extern float acosf(float value);
extern long double acosl(long double value);
extern double asin(double value);
extern float asinf(float value);
extern long double asinl(long double value);
extern double atan(double value);
extern float atanf(float value);
extern long double atanl(long double value);
extern double cos(double value);
extern float cosf(float value);
extern long double cosl(long double value);
extern double sin(double value);
extern float sinf(float value);
extern long double sinl(long double value);
extern double tan(double value);
extern float tanf(float value);
extern long double tanl(long double value);
extern double acosh(double value);
extern float acoshf(float value);
extern long double acoshl(long double value);
extern double asinh(double value);
extern float asinhf(float value);
extern long double asinhl(long double value);
extern double atanh(double value);
extern float atanhf(float value);
extern long double atanhl(long double value);
extern double cosh(double value);
extern float coshf(float value);
extern long double coshl(long double value);
extern double sinh(double value);
extern float sinhf(float value);
extern long double sinhl(long double value);
extern double tanh(double value);
extern float tanhf(float value);
extern long double tanhl(long double value);
extern double exp(double value);
extern float expf(float value);
extern long double expl(long double value);
extern double exp2(double value);
extern float exp2f(float value);
extern long double exp2l(long double value);
extern double expm1(double value);
extern float expm1f(float value);
extern long double expm1l(long double value);
extern double log(double value);
extern float logf(float value);
extern long double logl(long double value);
extern double log10(double value);
extern float log10f(float value);
extern long double log10l(long double value);
extern double log1p(double value);
extern float log1pf(float value);
extern long double log1pl(long double value);
extern double log2(double value);
extern float log2f(float value);
extern long double log2l(long double value);
extern double logb(double value);
extern float logbf(float value);
extern long double logbl(long double value);
extern double cbrt(double value);
extern float cbrtf(float value);
extern long double cbrtl(long double value);
extern double fabs(double value);
extern float fabsf(float value);
extern long double fabsl(long double value);
extern double sqrt(double value);
extern float sqrtf(float value);
extern long double sqrtl(long double value);
extern double erf(double value);
extern float erff(float value);
extern long double erfl(long double value);
extern double erfc(double value);
extern float erfcf(float value);
extern long double erfcl(long double value);
extern double lgamma(double value);
extern float lgammaf(float value);
extern long double lgammal(long double value);
extern double tgamma(double value);
extern float tgammaf(float value);
extern long double tgammal(long double value);
extern double ceil(double value);
extern float ceilf(float value);
extern long double ceill(long double value);
extern double floor(double value);
extern float floorf(float value);
extern long double floorl(long double value);
extern double nearbyint(double value);
extern float nearbyintf(float value);
extern long double nearbyintl(long double value);
extern double rint(double value);
extern float rintf(float value);
extern long double rintl(long double value);
extern double round(double value);
extern float roundf(float value);
extern long double roundl(long double value);
extern double trunc(double value);
extern float truncf(float value);
extern long double truncl(long double value);
extern double atan2(double left, double right);
extern float atan2f(float left, float right);
extern long double atan2l(long double left, long double right);
extern double pow(double left, double right);
extern float powf(float left, float right);
extern long double powl(long double left, long double right);
extern double hypot(double left, double right);
extern float hypotf(float left, float right);
extern long double hypotl(long double left, long double right);
extern double fmod(double left, double right);
extern float fmodf(float left, float right);
extern long double fmodl(long double left, long double right);
extern double remainder(double left, double right);
extern float remainderf(float left, float right);
extern long double remainderl(long double left, long double right);
extern double copysign(double left, double right);
extern float copysignf(float left, float right);
extern long double copysignl(long double left, long double right);
extern double nextafter(double left, double right);
extern float nextafterf(float left, float right);
extern long double nextafterl(long double left, long double right);
extern double fdim(double left, double right);
extern float fdimf(float left, float right);
extern long double fdiml(long double left, long double right);
extern double fmax(double left, double right);
extern float fmaxf(float left, float right);
extern long double fmaxl(long double left, long double right);
extern double fmin(double left, double right);
extern float fminf(float left, float right);
extern long double fminl(long double left, long double right);
extern double fma(double left, double right, double summand);
extern float fmaf(float left, float right, float summand);
extern long double fmal(long double left, long double right, long double summand);
extern double frexp(double value, int *exponent);
extern float frexpf(float value, int *exponent);
extern long double frexpl(long double value, int *exponent);
extern double ldexp(double value, int exponent);
extern float ldexpf(float value, int exponent);
extern long double ldexpl(long double value, int exponent);
extern double modf(double value, double *whole);
extern float modff(float value, float *whole);
extern long double modfl(long double value, long double *whole);
extern double scalbn(double value, int exponent);
extern float scalbnf(float value, int exponent);
extern long double scalbnl(long double value, int exponent);
extern double scalbln(double value, long exponent);
extern float scalblnf(float value, long exponent);
extern long double scalblnl(long double value, long exponent);
extern double nan(const char *tag);
extern float nanf(const char *tag);
extern long double nanl(const char *tag);
extern double nexttoward(double value, long double direction);
extern float nexttowardf(float value, long double direction);
extern long double nexttowardl(long double value, long double direction);
extern double remquo(double left, double right, int *quotient);
extern float remquof(float left, float right, int *quotient);
extern long double remquol(long double left, long double right, int *quotient);
extern int ilogb(double value);
extern int ilogbf(float value);
extern int ilogbl(long double value);
extern long lrint(double value);
extern long lrintf(float value);
extern long lrintl(long double value);
extern long lround(double value);
extern long lroundf(float value);
extern long lroundl(long double value);
extern long long llrint(double value);
extern long long llrintf(float value);
extern long long llrintl(long double value);
extern long long llround(double value);
extern long long llroundf(float value);
extern long long llroundl(long double value);

/* The rest of what glibc defines. */
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)

#endif

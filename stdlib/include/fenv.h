/* C11 7.6, with the numbers of x86. Flags are not modelled: the functions about them are not covered. */
#ifndef ULT_FENV_H
#define ULT_FENV_H

#include <features.h>

typedef struct {
  unsigned int ult_words[8];
} fenv_t;
typedef unsigned short fexcept_t;

#define FE_INVALID 0x01
#define FE_DIVBYZERO 0x04
#define FE_OVERFLOW 0x08
#define FE_UNDERFLOW 0x10
#define FE_INEXACT 0x20
#define FE_ALL_EXCEPT 0x3d
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
#define FE_DFL_ENV ((const fenv_t *)-1)

extern int feclearexcept(int flags);
extern int fegetexceptflag(fexcept_t *result, int flags);
extern int feraiseexcept(int flags);
extern int fesetexceptflag(const fexcept_t *from, int flags);
extern int fetestexcept(int flags);
extern int fegetround(void);
extern int fesetround(int mode);
extern int fegetenv(fenv_t *result);
extern int feholdexcept(fenv_t *result);
extern int fesetenv(const fenv_t *from);
extern int feupdateenv(const fenv_t *from);

#endif

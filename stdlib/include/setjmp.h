/* C11 7.13 */
#ifndef ULT_SETJMP_H
#define ULT_SETJMP_H

#include <features.h>

typedef long jmp_buf[8];

extern int setjmp(jmp_buf environment);
extern void longjmp(jmp_buf environment, int value) __attribute__((__noreturn__));

#endif

/* Allocation on the stack, as glibc has it */
#ifndef ULT_ALLOCA_H
#define ULT_ALLOCA_H

#include <features.h>

#ifndef ULT_SIZE_T
#define ULT_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif

#undef alloca
#define alloca(size) __builtin_alloca(size)

#endif

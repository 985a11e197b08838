/* Allocation, as glibc has it */
#ifndef ULT_MALLOC_H
#define ULT_MALLOC_H

#include <features.h>

#include <stdlib.h>

extern void *memalign(size_t alignment, size_t size);

#endif

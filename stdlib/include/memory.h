/* The old name of string.h */
#ifndef ULT_MEMORY_H
#define ULT_MEMORY_H

#include <features.h>

#include <string.h>

#endif

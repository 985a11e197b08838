/* POSIX */
#ifndef ULT_SYS_TYPES_H
#define ULT_SYS_TYPES_H

#include <features.h>

#ifndef ULT_SIZE_T
#define ULT_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
#ifndef ULT_SSIZE_T
#define ULT_SSIZE_T
typedef __PTRDIFF_TYPE__ ssize_t;
#endif

#ifndef ULT_TIME_T
#define ULT_TIME_T
typedef long time_t;
#endif
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef long off_t;
typedef unsigned int useconds_t;

/* The rest of what glibc defines. */
#define BIG_ENDIAN 4321
#define BYTE_ORDER 1234
#define FD_SETSIZE 1024
#define LITTLE_ENDIAN 1234
#define PDP_ENDIAN 3412

#endif

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
#ifndef ULT_OFF_T
#define ULT_OFF_T
typedef long off_t;
#endif
#ifndef ULT_CLOCK_T
#define ULT_CLOCK_T
typedef long clock_t;
typedef int clockid_t;
#endif
typedef void *timer_t;
typedef unsigned int useconds_t;
typedef long suseconds_t;
#ifdef __LP64__
typedef unsigned long dev_t;
typedef unsigned long nlink_t;
#else
typedef unsigned long long dev_t;
typedef unsigned int nlink_t;
#endif
typedef unsigned long ino_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef unsigned int id_t;
typedef int key_t;
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
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
#ifdef __LP64__
typedef unsigned long u_int64_t;
#else
typedef unsigned long long u_int64_t;
#endif

/* The rest of what glibc defines. */
#define BIG_ENDIAN 4321
#define BYTE_ORDER 1234
#define FD_SETSIZE 1024
#define LITTLE_ENDIAN 1234
#define PDP_ENDIAN 3412

#endif

/* Parts of POSIX: limits and use of resources, with the numbers of Linux */
#ifndef ULT_SYS_RESOURCE_H
#define ULT_SYS_RESOURCE_H

#include <features.h>

#include <sys/types.h>

#ifndef ULT_TIMEVAL
#define ULT_TIMEVAL
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
#endif
typedef unsigned long rlim_t;

struct rlimit {
  rlim_t rlim_cur;
  rlim_t rlim_max;
};

struct rusage {
  struct timeval ru_utime;
  struct timeval ru_stime;
  long ru_maxrss;
  long ru_ixrss;
  long ru_idrss;
  long ru_isrss;
  long ru_minflt;
  long ru_majflt;
  long ru_nswap;
  long ru_inblock;
  long ru_oublock;
  long ru_msgsnd;
  long ru_msgrcv;
  long ru_nsignals;
  long ru_nvcsw;
  long ru_nivcsw;
};

#define RLIMIT_CPU 0
#define RLIMIT_FSIZE 1
#define RLIMIT_DATA 2
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_RSS 5
#define RLIMIT_NPROC 6
#define RLIMIT_NOFILE 7
#define RLIMIT_MEMLOCK 8
#define RLIMIT_AS 9
#define RLIM_INFINITY ((rlim_t)-1)
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN (-1)
#ifdef _GNU_SOURCE
#define RUSAGE_THREAD 1
#endif
#define PRIO_PROCESS 0
#define PRIO_PGRP 1
#define PRIO_USER 2

extern int getrlimit(int resource, struct rlimit *limit);
extern int setrlimit(int resource, const struct rlimit *limit);
extern int getrusage(int who, struct rusage *used);
extern int getpriority(int kind, id_t who);
extern int setpriority(int kind, id_t who, int priority);

/* The rest of what glibc defines. */
#define PRIO_MAX 20
#define PRIO_MIN (-20)
#define RLIMIT_LOCKS 10
#define RLIMIT_MSGQUEUE 12
#define RLIMIT_NICE 13
#define RLIMIT_NLIMITS 16
#define RLIMIT_OFILE 7
#define RLIMIT_RTPRIO 14
#define RLIMIT_RTTIME 15
#define RLIMIT_SIGPENDING 11
#define RLIM_NLIMITS 16
#define RLIM_SAVED_CUR RLIM_INFINITY
#define RLIM_SAVED_MAX RLIM_INFINITY

#endif

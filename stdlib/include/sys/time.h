/* Parts of POSIX: times and timers */
#ifndef ULT_SYS_TIME_H
#define ULT_SYS_TIME_H

#include <features.h>

#include <sys/types.h>

#ifndef ULT_TIMEVAL
#define ULT_TIMEVAL
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
#endif
struct timezone {
  int tz_minuteswest;
  int tz_dsttime;
};
struct itimerval {
  struct timeval it_interval;
  struct timeval it_value;
};

#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2

extern int gettimeofday(struct timeval *restrict time, void *restrict zone);
extern int settimeofday(const struct timeval *time, const struct timezone *zone);
extern int getitimer(int timer, struct itimerval *value);
extern int setitimer(int timer, const struct itimerval *restrict value, struct itimerval *restrict old);
extern int utimes(const char *name, const struct timeval times[2]);
extern int lutimes(const char *name, const struct timeval times[2]);
extern int futimes(int descriptor, const struct timeval times[2]);

#define timerisset(time) ((time)->tv_sec || (time)->tv_usec)
#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timercmp(left, right, compare) \
  ((left)->tv_sec == (right)->tv_sec ? ((left)->tv_usec compare (right)->tv_usec) \
                                     : ((left)->tv_sec compare (right)->tv_sec))
#define timeradd(left, right, result) \
  do { \
    (result)->tv_sec = (left)->tv_sec + (right)->tv_sec; \
    (result)->tv_usec = (left)->tv_usec + (right)->tv_usec; \
    if ((result)->tv_usec >= 1000000) { \
      ++(result)->tv_sec; \
      (result)->tv_usec -= 1000000; \
    } \
  } while (0)
#define timersub(left, right, result) \
  do { \
    (result)->tv_sec = (left)->tv_sec - (right)->tv_sec; \
    (result)->tv_usec = (left)->tv_usec - (right)->tv_usec; \
    if ((result)->tv_usec < 0) { \
      --(result)->tv_sec; \
      (result)->tv_usec += 1000000; \
    } \
  } while (0)

/* The rest of what glibc defines. */
#define FD_SETSIZE 1024

#endif

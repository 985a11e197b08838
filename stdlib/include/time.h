/* C11 7.27 and parts of POSIX */
#ifndef ULT_TIME_H
#define ULT_TIME_H

#include <features.h>

#ifndef ULT_SIZE_T
#define ULT_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
#ifndef NULL
#define NULL ((void *)0)
#endif

#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1

#ifndef ULT_TIME_T
#define ULT_TIME_T
typedef long time_t;
#endif
#ifndef ULT_CLOCK_T
#define ULT_CLOCK_T
typedef long clock_t;
typedef int clockid_t;
#endif

#ifndef ULT_TIMESPEC
#define ULT_TIMESPEC
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
#endif

struct tm {
  int tm_sec;
  int tm_min;
  int tm_hour;
  int tm_mday;
  int tm_mon;
  int tm_year;
  int tm_wday;
  int tm_yday;
  int tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

extern clock_t clock(void);
extern double difftime(time_t later, time_t earlier);
extern time_t mktime(struct tm *parts);
extern time_t time(time_t *result);
extern char *asctime(const struct tm *parts);
extern char *ctime(const time_t *time);
extern struct tm *gmtime(const time_t *time);
extern struct tm *localtime(const time_t *time);
extern char *asctime_r(const struct tm *restrict parts, char *restrict text);
extern char *ctime_r(const time_t *restrict time, char *restrict text);
extern struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict parts);
extern struct tm *localtime_r(const time_t *restrict time, struct tm *restrict parts);
extern time_t timegm(struct tm *parts);
extern void tzset(void);
extern size_t strftime(char *restrict text, size_t size, const char *restrict format,
                       const struct tm *restrict parts);
extern int nanosleep(const struct timespec *wanted, struct timespec *left);
extern int clock_gettime(clockid_t clock, struct timespec *result);
extern int clock_settime(clockid_t clock, const struct timespec *time);
extern int clock_getres(clockid_t clock, struct timespec *result);
extern int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left);
extern int timespec_get(struct timespec *result, int base);
#if defined _GNU_SOURCE || defined _XOPEN_SOURCE
extern char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict parts);
#endif

/* The rest of what glibc defines. */
#define CLOCK_BOOTTIME 7
#define CLOCK_BOOTTIME_ALARM 9
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_REALTIME_ALARM 8
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_TAI 11
#define CLOCK_THREAD_CPUTIME_ID 3
#define TIMER_ABSTIME 1
#define TIME_UTC 1

#endif

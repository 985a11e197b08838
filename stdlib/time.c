/* <time.h>: date and time (C11 7.27). The types are those of the program's header. */

/* 7.27.2.4: seconds since 1970 (POSIX) up to the end of the last year that a `struct tm` holds, or -1. So two times are never
 * too far apart for their difference. */
typeof(time(0)) time(typeof(time(0)) *result) {
  long long now = __ult_any_long_long();
  __ult_assume(now >= -1 && now <= (sizeof(time(0)) == 8 ? 67768036191676799LL : 0x7ffffffeLL));
  __ult_may_fail();
  if (result != 0)
    *result = (typeof(time(0)))now;
  return (typeof(time(0)))now;
}

static long long __ult_last_clock;

/* 7.27.2.1: the processor time does not get less, but may be unknown from some time on. With 64 bits, there is no end of it. */
typeof(clock()) clock(void) {
  long long now = __ult_any_long_long();
  __ult_assume(now <= (sizeof(clock()) == 8 ? 0x3fffffffffffffffLL : 0x7ffffffeLL));
  __ult_assume(now == -1 || (__ult_last_clock != -1 && now >= __ult_last_clock));
  __ult_last_clock = now;
  __ult_may_fail();
  return (typeof(clock()))now;
}

/* 7.27.2.2: defined for all times. */
double difftime(typeof(time(0)) later, typeof(time(0)) earlier) {
  unsigned long long apart = (unsigned long long)later - (unsigned long long)earlier;
  return later >= earlier ? (double)apart : -(double)(0 - apart);
}

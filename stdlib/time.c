/* <time.h>: date and time (C11 7.27). The types are those of the program's header. */

/* 7.27.2.4: any time, or -1. */
typeof(time(0)) time(typeof(time(0)) *result) {
  typeof(time(0)) now = (typeof(time(0)))__ult_any_long_long();
  __ult_may_fail();
  if (result != 0)
    *result = now;
  return now;
}

/* 7.27.2.2 */
double difftime(typeof(time(0)) later, typeof(time(0)) earlier) {
  return (double)(later - earlier);
}

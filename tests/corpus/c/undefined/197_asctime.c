//# expect: unknown(unsupported)
// C11 7.27.3.1: asctime with a time that does not exist.
#include <time.h>
int main(void) {
  struct tm t = {0};
  t.tm_mon = 99;
  char *s = asctime(&t);
  return s != 0;
}

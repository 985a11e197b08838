//# expect: unsafe
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  assert(errno == 0);
  errno = 3;
  FILE *f = fopen("/none", "r");
  assert(errno != 0);
  errno = 0;
  double one = sqrt(1.0);
  assert(errno == 0 && one == 1.0);
  int *e = &errno;
  *e = 4;
  assert(errno == 4);
  errno = 0;
  long small = strtol("12", 0, 10);
  assert(errno == 0 && small == 12);
  errno = 0;
  f = fopen("/none", "r");
  assert(errno == 0); // FAILS
  return 0;
}

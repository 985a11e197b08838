//# expect: safe
//# flags: --property valid-deref expect: unsafe
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  double *d = malloc(2 * sizeof *d);
  if (!d)
    return 1;
  d[0] = d[1] = 1;
  write(1, d, 2 * sizeof *d);
  free(d);
  write(1, d, sizeof *d); // FAILS
  return 0;
}

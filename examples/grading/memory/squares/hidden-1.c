// Put together with what a student hands in: see `ult grade`.

#include <assert.h>

int main(void) {
  int *a = squares(4);
  assert(a[0] == 0 && a[1] == 1 && a[2] == 4 && a[3] == 9);
  free(a);
  a = squares(1);
  assert(a[0] == 0);
  free(a);
  a = squares(6);
  assert(a[5] == 25);
  free(a);
  return 0;
}

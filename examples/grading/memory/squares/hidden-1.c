// Put together with what a student hands in: see `ult grade`.

#include <assert.h>

int main(void) {
  int *a = squares(4);
  assert(a[0] == 0 && a[1] == 1 && a[2] == 4 && a[3] == 9);
  free(a);
  return 0;
}

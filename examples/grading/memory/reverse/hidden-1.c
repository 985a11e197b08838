// Put together with what a student hands in: see `ult grade`.

#include <assert.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  reverse(a, 4);
  assert(a[0] == 4 && a[1] == 3 && a[2] == 2 && a[3] == 1);
  int b[3] = {5, 6, 7};
  reverse(b, 3);
  assert(b[0] == 7 && b[1] == 6 && b[2] == 5);
  int c[5] = {9, 8, 3, 1, 2};
  reverse(c, 5);
  assert(c[0] == 2 && c[1] == 1 && c[2] == 3 && c[3] == 8 && c[4] == 9);
  reverse(c, 0);
  assert(c[0] == 2);
  return 0;
}

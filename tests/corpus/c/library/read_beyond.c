//# expect: safe
//# flags: --property valid-deref expect: unsafe
#include <stdio.h>
struct point { double x; double y; };
int main(void) {
  struct point points[2] = {{1, 2}, {3, 4}};
  fwrite(points, sizeof *points, 2, stdout);
  fwrite(points, sizeof *points, 3, stdout); // FAILS
  return 0;
}

//# expect: unknown(unsupported)
// A part of a structure that was initialised by one value is initialised again: gcc makes the other parts zero, clang does not.
#include <assert.h>

struct Point {
  int x, y;
};
struct Line {
  struct Point a, b;
};

int main(void) {
  struct Point p = {1, 2};
  struct Line line = {.b = p, .b.x = 7};
  assert(line.b.y == 2);
  return 0;
}

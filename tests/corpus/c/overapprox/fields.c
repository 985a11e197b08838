//# expect: safe
//# flags: -Z overapprox=only expect: unknown(unsupported)
// What is in memory is anything in an over-approximation, within its type.
#include <assert.h>
#include <stdbool.h>

struct flags {
  unsigned three : 3;
  int two : 2;
  bool one;
};

int main(void) {
  struct flags flags = {5, 1, true};
  struct flags *pointer = &flags;
  assert(pointer->three <= 7);
  assert(pointer->two >= -2 && pointer->two <= 1);
  assert(pointer->one == 0 || pointer->one == 1);
  assert(pointer->three == 5);
  return 0;
}

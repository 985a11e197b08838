//# expect: safe
//# flags: -Z overapprox=only
//# flags: -Z overapprox=only --int-encoding bits
// Numbers from memory are within their types.
#include <assert.h>
#include <stdbool.h>

struct flags {
  unsigned three : 3;
  int two : 2;
  bool one;
  unsigned char byte;
};

int main(void) {
  struct flags flags = {5, 1, true, 255};
  struct flags *pointer = &flags;
  assert(pointer->three <= 7);
  int two = pointer->two;
  assert(two >= -2 && two <= 1);
  int one = pointer->one;
  assert(one == 0 || one == 1);
  int byte = pointer->byte;
  assert(byte >= 0 && byte <= 255);
  return 0;
}

//# expect: unknown(unsupported)
// A copy that begins in the middle of a member and ends in the next one: compiled, it writes both.
#include <assert.h>
#include <string.h>

struct places {
  int *two[2];
  int *last;
};

int main(void) {
  int x = 1, y = 2;
  int *from[2] = {&y, &y};
  struct places all = {{&x, &x}, &x}, *place = &all;
  memcpy(&place->two[1], from, sizeof from);
  assert(all.last == &y);
  return 0;
}

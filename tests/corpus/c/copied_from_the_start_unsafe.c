//# expect: unsafe
// Pointers behind an array that is copied along.
#include <assert.h>
#include <string.h>

struct with_pair {
  int pair[2];
  int *place;
};

static void copy(void *to, const void *from) { memcpy(to, from, sizeof(struct with_pair)); }

int main(void) {
  int x = 1, y = 2;
  struct with_pair a = {{1, 2}, &x}, b = {{3, 4}, &y};
  int *second = &a.pair[1];
  copy(&a, &b);
  *a.place = 5;
  assert(y == 5);
  assert(*second == 4);
  assert(x == 5); // FAILS
  return 0;
}

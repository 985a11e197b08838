//# expect: unsafe 17
// The same through a pointer that was moved.
#include <assert.h>
#include <string.h>

struct numbers {
  int two[2];
  int last;
};

int main(void) {
  int from[4] = {9, 9, 9, 9};
  struct numbers all = {{1, 2}, 3};
  int *to = all.two;
  for (int i = 0; i < 1; i++) to++;
  memcpy(to, from, 2 * sizeof *to);
  assert(all.last == 3);
  return 0;
}

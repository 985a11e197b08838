//# expect: safe
//# flags: --property array-bounds expect: safe
//# flags: --property valid-deref expect: safe
// Loops that stay in the members of an array of structures.
#include <assert.h>

struct item { int key[3]; int sum; };

int main(void) {
  struct item items[2] = {{{1, 2, 3}, 0}, {{4, 5, 6}, 0}};
  for (int i = 0; i < 2; i++) {
    int *key = items[i].key;
    for (int j = 0; j < 3; j++) items[i].sum += key[j];
  }
  assert(items[0].sum == 6 && items[1].sum == 15 && items[0].key[2] == 3);
  return 0;
}

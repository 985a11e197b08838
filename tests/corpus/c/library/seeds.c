//# expect: safe
// The same seed gives the same numbers (C11 7.22.2.2).
#include <assert.h>
#include <stdlib.h>
int main(void) {
  srand(7);
  int a = rand(), b = rand();
  srand(7);
  assert(a == rand());
  assert(b == rand());
  srand(8);
  rand();
  srand(7);
  assert(rand() == a && a >= 0 && a <= RAND_MAX);
  return 0;
}

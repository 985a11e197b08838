//# expect: unsafe
#include <assert.h>
#include <stdlib.h>
int main(void) {
  srand(7);
  int a = rand();
  assert(a == rand()); // FAILS
  srand(8);
  assert(a == rand()); // FAILS
  return 0;
}

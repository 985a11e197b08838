//# expect: unsafe
// What is not assigned counts for nothing, but it may be all that there is.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x = 5;
  int count = scanf("%*d%d", &x);
  assert(count <= 1);
  if (count < 1)
    assert(x == 5);
  assert(count != 0); // FAILS
  return 0;
}

//# expect: unknown(unsupported)
// What could not be converted stays there.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x;
  if (scanf("%d", &x) == 0)
    assert(scanf("%d", &x) == 0);
  return 0;
}

//# expect: unsafe
//# flags: --property valid-deref expect: unsafe 8
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x = 1;
  FILE *file = fopen("a", "r");
  fscanf(file, "%3d", &x);
  assert(x > -100 && x < 1000);
  assert(x != 999); // FAILS
  return 0;
}

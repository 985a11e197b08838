//# expect: unsafe
// It comes once.
#include <assert.h>
#include <stdio.h>
int main(void) {
  ungetc('x', stdin);
  getchar();
  assert(getchar() == 'x'); // FAILS
  return 0;
}

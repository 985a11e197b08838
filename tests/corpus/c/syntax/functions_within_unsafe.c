//# expect: unsafe 8
#include <assert.h>
int main(void) {
  int x = 1;
  goto over;
  int inner(void) { return x; }
over:
  assert(x == 2);
  return inner();
}

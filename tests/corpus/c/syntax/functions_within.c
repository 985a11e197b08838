//# expect: unknown(unsupported)
// gcc's functions within functions: what does not call them is judged.
#include <assert.h>
int main(void) {
  int x = 1;
  auto int outer(int);
  int inner(void) { return x; }
  int outer(int y) { return y + inner(); }
  assert(x == 1);
  assert(outer(1) == 2);
  return 0;
}

//# expect: unknown(unsupported)
// What a reserved function does that nobody knows, is not known: it may change memory.
#include <assert.h>
void __VERIFIER_something(int *);

int main(void) {
  int x = 0;
  __VERIFIER_something(&x);
  assert(x == 0);
  return 0;
}

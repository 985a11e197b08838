//# expect: unknown(unsupported)
// C11 6.7.4: A _Noreturn function returns.
#include <assert.h>
_Noreturn void f(void) {
}
int main(void) {
  f();
  assert(0);
  return 0;
}

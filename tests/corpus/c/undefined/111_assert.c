//# expect: rejected(E0604 9)
// C11 7.2: The argument of assert is no scalar.
#include <assert.h>
struct s {
  int a;
};
int main(void) {
  struct s x = {1};
  assert(x);
  return 0;
}

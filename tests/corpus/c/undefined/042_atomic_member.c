//# expect: safe
// C11 6.5.2.3: A member of an atomic structure is accessed.
#include <stdatomic.h>
struct s { int a; };
int main(void) {
  _Atomic struct s x;
  x.a = 1;
  return 0;
}

//# expect: unsafe
// A union is copied as another member than the one that was written.
#include <assert.h>

struct A { int *p; };
struct B { long l; };
union U { struct A a; struct B b; };

int main(void) {
  int x = 1;
  union U u, v;
  u.a.p = &x;
  v.b = u.b;
  *v.a.p = 7;
  assert(x == 7);
  assert(x == 1); // FAILS
  return 0;
}

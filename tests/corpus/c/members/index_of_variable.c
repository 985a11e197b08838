//# expect: unsafe 14
//# flags: --property array-bounds expect: unsafe 13
//# flags: --int-encoding bits expect: unsafe 14
// A variable whose address nobody takes is an object, too.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct s { int a[3]; int b; };
int main(void) {
  struct s s = {{1, 2, 3}, 4};
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3) return 0;
  s.a[i] = 9;
  assert(s.b == 4);
  return 0;
}

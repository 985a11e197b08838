//# expect: safe
//# flags: --int-encoding bits --engine ic3
//# flags: --int-encoding bits --engine bits-bmc --property valid-deref
//# flags: --int-encoding bits --engine ic3 -Z circuit=shadows
//# flags: --int-encoding bits --engine bits-bmc -Z circuit=shadows --property valid-deref
// What is written by one name is read by all others, through one pointer and through two: six statements in any order.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
  int x = 0, y = 0;
  int *a = &x;
  int **p = &a;
  for (int i = 0; i < 4; i++) {
    int old_x = x, old_y = y;
    int *old_a = a;
    switch (__VERIFIER_nondet_int()) {
    case 0: p = &a; assert(*p == old_a && **p == (old_a == &x ? old_x : old_y)); break;
    case 1: a = &x; assert(*a == old_x && *p == &x && **p == old_x); break;
    case 2: a = &y; assert(*a == old_y && *p == &y && **p == old_y); break;
    case 3: x = 5; assert(*a == (old_a == &x ? 5 : old_y) && **p == *a); break;
    case 4: *a = 7; assert(x == (old_a == &x ? 7 : old_x) && y == (old_a == &y ? 7 : old_y) && **p == 7); break;
    case 5: **p = 9; assert(x == (old_a == &x ? 9 : old_x) && y == (old_a == &y ? 9 : old_y) && *a == 9); break;
    }
    assert(a == &x ? *a == x : a == &y && *a == y);
    assert(p == &a && *p == a && **p == *a);
  }
  return 0;
}

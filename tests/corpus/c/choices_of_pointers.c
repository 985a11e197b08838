//# expect: safe
//# flags: --int-encoding bits
//# flags: --property division-by-zero
// Pointers into one array: which one `?:` gives, and that they differ; operands that are evaluated only sometimes.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int value;
};

int main(void) {
  int a[4] = {0, 0, 0, 0};
  int x = __VERIFIER_nondet_int();
  int *p = x ? &a[1] : &a[2];
  int *q = &a[2];
  *p = 5;
  assert(a[x ? 1 : 2] == 5);
  assert((p == q) == (x == 0));
  assert(p != p + 1);
  assert(x == 0 || 10 / x <= 10);
  assert(!(x != 0 && 10 / x > 10));
  // The place that is copied from is found once.
  struct node c = {0, 3}, b = {&c, 2}, n = {&b, 1};
  n = *n.next;
  assert(n.value == 2 && n.next == &c);
  return 0;
}

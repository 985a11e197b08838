//# expect: unsafe 17
//# flags: --property valid-deref expect: unsafe 16
// C11 6.5.6: the same, where nobody has the address of the structure.
extern int __VERIFIER_nondet_int(void);

#include <assert.h>
struct s {
  int a[3];
  int b;
};
int main(void) {
  struct s x = {{1, 2, 3}, 4};
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3)
    return 0;
  x.a[i] = 9;
  assert(x.b == 4);
  return 0;
}

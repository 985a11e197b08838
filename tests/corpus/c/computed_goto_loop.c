//# expect: safe
// A loop made of computed jumps.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  void *next = &&more;
  if (n < 0) return 0;
more:
  if (i >= n) next = &&done;
  else i++;
  goto *next;
done:
  assert(i == n);
  return 0;
}

//# expect: safe
//# flags: --int-encoding bits expect: safe
//# flags: --property valid-deref expect: safe
//# flags: --property array-bounds expect: safe
// An index through a parameter that stays in the member.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct s { int buf[4]; int next; };

static void put(int *b, int i) {
  b[i] = 77;
}

int main(void) {
  struct s s = {{0}, 5};
  int i = __VERIFIER_nondet_int();
  if (0 <= i && i <= 3) put(s.buf, i);
  assert(s.next == 5);
  return 0;
}

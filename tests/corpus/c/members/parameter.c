//# expect: unsafe 18
//# flags: --property valid-deref expect: safe
//# flags: --property array-bounds expect: unsafe 11
// An index through a parameter that got a member.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct s { int buf[4]; int next; };

static void put(int *b, int i) {
  b[i] = 77;
}

int main(void) {
  struct s s = {{0}, 5};
  int i = __VERIFIER_nondet_int();
  if (0 <= i && i <= 4) put(s.buf, i);
  assert(s.next == 5);
  return 0;
}

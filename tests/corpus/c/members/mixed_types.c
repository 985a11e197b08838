//# expect: unsafe 15
//# flags: --property array-bounds expect: unsafe 14
// Characters reach a number of several bytes.
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

struct message { unsigned char text[4]; unsigned length; unsigned char end[2]; };

int main(void) {
  struct message m = {{0}, 3, {0}};
  unsigned char *p = m.text;
  unsigned n = __VERIFIER_nondet_uchar();
  if (n > 4) return 0;
  for (unsigned i = 0; i <= n; i++) p[i] = 1;
  assert(m.length == 3);
  return 0;
}

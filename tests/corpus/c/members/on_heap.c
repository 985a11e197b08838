//# expect: unsafe 18
//# flags: --property array-bounds expect: unsafe 17
// A member of an object on the heap, through a pointer of its own.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct row { int tab[4]; int owner; };

int main(void) {
  struct row *r = malloc(sizeof *r);
  if (!r) return 1;
  r->owner = 9;
  int *t = r->tab;
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 4) return 0;
  t[i] = 3;
  assert(r->owner == 9);
  return 0;
}

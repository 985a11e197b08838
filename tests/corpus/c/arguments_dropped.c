//# expect: safe
//# flags: --property valid-deref expect: unsafe
// Arguments that a function does not look at are computed all the same (C11 6.5.2.2).
#include <math.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
struct s { int x, y; };
extern int outside(struct s given);
extern int first(int, ...);
int without() { return 1; }
int g = 1;
static void used(int way, int bad) {
  char text[20];
  struct s v = {1, 2}, *q = bad ? 0 : &v;
  int *p = bad ? 0 : &g;
  double d;
  switch (way) {
    case 0: sprintf(text, "%d", *p); break; // FAILS
    case 1: snprintf(text, sizeof text, "%d %d", 1, *p); break; // FAILS
    case 2: __builtin___memset_chk(text, 0, sizeof text, *p); break; // FAILS
    case 3: d = nan((*p, "")); break; // FAILS
    case 4: __builtin_assume_aligned(text, 1, *p); break; // FAILS
    case 5: __atomic_store_n(&g, 1, *p); break; // FAILS
    case 6: outside(*q); break; // FAILS
    case 7: without(*p); break; // FAILS
    case 8: __builtin_expect(*p, 1); break; // FAILS
    case 9: first(1, *q); break; // FAILS
    case 10: __builtin_constant_p(*p); break;
    case 11: d = sizeof *p; break;
  }
}
int main(void) {
  used(__VERIFIER_nondet_int(), __VERIFIER_nondet_int());
  return 0;
}

//# expect: safe
// What a pointer leads to is a member of one structure, or an array at the start of another one: only from there is the rest
// of the structure as far away as its type says.
#include <assert.h>

struct in { int a[3]; int b; };
struct out { int h; struct in in; int t; };

int nondet(void);

int main(void) {
  struct out o = { 1, { { 2, 3, 4 }, 5 }, 6 };
  struct in x = { { 7, 8, 9 }, 10 };
  int i = nondet();
  if (i < 0 || i > 2) return 0;
  struct in *p = &o.in;
  p->a[i] = 51;
  int *q = &o.h;
  if (i) q = x.a;
  if (q == x.a) {
    ((struct in *)q)->b = 61;
    assert(x.b == 61);
    assert(o.in.b == 5 && o.t == 6);
  }
  // The array in the middle of a structure, too.
  q = p->a;
  struct in *r = (struct in *)q;
  r->b = 60;
  assert(o.in.b == 60 && o.t == 6);
  return 0;
}

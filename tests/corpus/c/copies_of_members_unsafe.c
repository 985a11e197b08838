//# expect: unsafe
// The same with a wrong claim.
#include <assert.h>
#include <string.h>
struct inner { char kind; int *to; };
struct outer { long before; struct inner in[2]; int *after; };

int main(void) {
  int x = 1, y = 2, z = 3;
  struct outer a, b;
  struct inner one;
  a.before = 7;
  a.in[0].to = &x; a.in[0].kind = 1;
  a.in[1].to = &y; a.in[1].kind = 2;
  a.after = &z;
  b.after = &x;
  memcpy(&one, &a.in[1], sizeof one);
  *one.to = 5;
  memcpy(&b.in[0], &a.in[1], sizeof(struct inner));
  b.in[1] = a.in[0];
  *b.in[0].to += 1;
  *b.in[1].to = 4;
  memcpy(&b.after, &a.after, sizeof b.after);
  *b.after = 8;
  assert(x == 1 && y == 6 && z == 8); // FAILS
  assert(a.before == 7 && one.kind == 2 && b.in[0].kind == 2);
}

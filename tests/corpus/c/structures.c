//# expect: safe
#include <assert.h>
struct inner { int a; char b; };
struct outer { struct inner in; int list[2]; unsigned flag : 3; int small : 4; };

static struct outer make(int n) {
  struct outer o = {{n, 'x'}, {n + 1, n + 2}, 9, 7};
  return o;
}
static int sum(struct outer o) { o.in.a += 100; return o.in.a + o.list[0] + o.list[1]; }

int main(void) {
  struct outer o = make(1), p;
  assert(o.in.a == 1 && o.in.b == 'x' && o.list[1] == 3);
  assert(o.flag == 1);
  o.small = 7;
  assert(o.small == 7);
  p = o;
  p.in.a = 5;
  assert(o.in.a == 1 && p.in.a == 5);
  assert(sum(o) == 106 && o.in.a == 1);
  struct outer *q = &p;
  q->list[1] = 4;
  assert(p.list[1] == 4 && sizeof(struct inner) == 8);
  return 0;
}

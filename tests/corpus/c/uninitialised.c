//# expect: safe
//# flags: --property uninitialised expect: unsafe 36
// Reads of what was not written, in plain variables, structures, arrays and memory.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct pair { int first, second; };
union view { int number; char bytes[4]; };

static int zero;

static int sum(struct pair p) { return p.first + p.second; }

static struct pair made(int x) { struct pair p; p.first = x; p.second = x; return p; }

int main(void) {
  int a, b[3], i;
  struct pair p, q;
  union view v;
  p.first = 1;
  q = p;
  q.second = q.first + zero;
  a = sum(q) + sum(made(2));
  for (i = 0; i < 3; i++) b[i] = a;
  a = b[0] + b[2];
  v.bytes[0] = 1; v.bytes[1] = 0;
  a += v.bytes[0];
  int *h = malloc(2 * sizeof(int)), *c = calloc(2, sizeof(int));
  h[0] = c[1];
  a += h[0];
  int *r = &i;
  a += *r;
  switch (__VERIFIER_nondet_int()) {
    case 1: a += c[0]; break;
    case 2: p.second = 3; a += sum(p); break;
    case 3: a += h[1]; break; // FAILS
  }
  return a;
}

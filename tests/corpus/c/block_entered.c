//# expect: safe
//# flags: --property valid-deref expect: safe
// Variables live from when their block is entered, also by a jump past their declaration, until it is left (C11 6.2.4).
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int entered_by_switch(int c) {
  int *p;
  switch (c) {
    int x, a[2];
    case 1: p = &x; *p = 3; a[c] = 1; return *p + a[1] - 1;
    case 2: { int y = 3; p = &y; x = *p; break; }
    default: x = 3; p = &x; return *p;
  }
  return 3;
}
static int passed(int c) {
  int *p;
  if (c) goto inside;
  int x;
inside:
  p = &x;
  *p = 3;
  return x;
}
static int entered(int c) {
  int *p;
  if (c) goto inside;
  {
    int x;
    x = 4;
  inside:
    p = &x;
    *p = 3;
    return *p;
  }
}
static int kept(void) {
  int *p = 0, n = 0;
again:
  if (n) goto use;
  int x = 3;
  p = &x;
use:
  if (n) return *p;
  n = 1;
  goto again;
}
static int loops(void) {
  int *p, sum = 0;
  for (int i = 0; i < 3; i++) {
    int x = i;
    p = &x;
    if (i == 1) continue;
    { int y = *p; int *q = &y; sum += *q + *p; }
    if (i == 2) break;
    sum -= *p;
  }
  return sum - 1;
}
static int outer(int c) {
  int x = 3, *p = &x;
  for (;;) { int y = 1, *q = &y; if (c) break; goto out; }
  { int z = *p; p = &z; p = &x; }
out:
  return *p;
}
static int value(void) {
  return ({ int x[2] = {1, 3}, *p = x; p[1]; }) + ({ int y = 1, *q = &y; *q; }) - 1;
}
static int freshly(void) {
  int *p = 0, n = 0;
  while (n < 2) { int x = 3; p = &x; if (*p != 3) return 0; *p = 5; n++; }
  p = &n;
  return *p + 1;
}
static int duff(int n) {
  int x = 0, *p = &x;
  switch (n & 1) { case 0: do { *p += 1; case 1: *p += 2; } while (--n > 0); }
  return x;
}
int main(void) {
  int c = __VERIFIER_nondet_int();
  switch (__VERIFIER_nondet_int()) {
    case 0: assert(entered_by_switch(c) == 3); break;
    case 1: assert(passed(c) == 3); break;
    case 2: assert(entered(c) == 3); break;
    case 3: assert(kept() == 3); break;
    case 4: assert(loops() == 3); break;
    case 5: assert(outer(c) == 3); break;
    case 6: assert(value() == 3); break;
    case 7: assert(freshly() == 3); break;
    case 8: assert(duff(2) == 6); break;
  }
  return 0;
}

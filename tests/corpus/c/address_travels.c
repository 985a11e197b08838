//# expect: safe
// A pointer that travels through integers comes back as it was (C11 7.20.1.4).
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int x = 1, y = 2;
static uintptr_t kept;
int main(void) {
  uintptr_t a = (uintptr_t)&x, b, t;
  if (__VERIFIER_nondet_int()) b = (uintptr_t)&y; else b = 0;
  t = a;
  a = b;
  b = t;
  *(int *)b = 5;
  if (a != 0) *(int *)a = 7;
  assert(x == 5);
  assert(y == 2 || y == 7);
  if (a) assert(y == 7);
  kept = (uintptr_t)malloc(sizeof(int));
  int *p = (int *)kept;
  *p = 9;
  assert(x == 5 && *(int *)kept == 9);
  // Numbers that stand for errors are no addresses.
  intptr_t r = __VERIFIER_nondet_int() ? (intptr_t)&y : -12;
  if (r == -12) return 0;
  *(int *)r = 3;
  assert(y == 3);
  return 0;
}

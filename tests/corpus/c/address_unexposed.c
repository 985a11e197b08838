//# expect: safe
// Numbers as pointers are no objects as long as no address has become a number.
#include <stdint.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 0, *p = (int *)__VERIFIER_nondet_ulong();
  if (p == &x) reach_error();
  if (__VERIFIER_nondet_int()) return (uintptr_t)&x > 9;
  p = (int *)-5L;
  if (p == &x) reach_error();
  return 0;
}

//# expect: safe
// A number of bytes that ends within an element: what is before is copied, and what is behind stays.
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  short from[4] = {1, 2, 3, 4}, to[4] = {5, 6, 7, 8};
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 2 || n > 3) return 0;
  memcpy(to, from, n);
  assert(to[0] == 1 && to[2] == 7 && to[3] == 8);
}

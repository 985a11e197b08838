//# expect: unsafe
// The number of characters, or something negative (C11 7.21.6.1p14).
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int length = printf("abc%%");
  assert(length == 4 || length < 0);
  length = printf("<%5d>", __VERIFIER_nondet_int());
  assert(length < 0 || (length >= 7 && length <= 13));
  assert(length < 0 || length == 7); // FAILS
  return 0;
}

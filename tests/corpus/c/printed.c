//# expect: safe
//# flags: --property valid-deref
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char text[16], small[4] = "abc", before = 'x';
  int x = __VERIFIER_nondet_int();
  int length = sprintf(text, "<%d>", x);
  assert(length <= 13);
  if (length >= 0) assert(text[length] == 0);
  length = snprintf(small, sizeof small, "%d", x);
  if (length > 3) assert(small[3] == 0);
  assert(before == 'x');
  return 0;
}

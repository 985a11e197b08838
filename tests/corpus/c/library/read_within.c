//# expect: safe
//# flags: --property valid-deref expect: safe
#include <stdio.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  float numbers[4] = {1, 2, 3, 4};
  unsigned count = __VERIFIER_nondet_uint();
  if (count <= 4)
    fwrite(numbers, sizeof *numbers, count, stdout);
  char a[3] = "ab", b[3] = "ac";
  return memcmp(a, b, sizeof a) < 0;
}

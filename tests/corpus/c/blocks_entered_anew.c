//# expect: unsafe
//# flags: --property uninitialised expect: unsafe 15
// A jump into a block, past what gives its variables their values: they are new, and have not the values that they had when the
// block was entered before (C11 6.2.4p6).
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int sum = 0;
  for (int i = 0; i < 2; i++)
    switch (i) {
    case 0:;
      int k = 3;
      break;
    case 1:
      sum += k;
    }
  assert(sum == 3); // FAILS
  int again = 0;
  {
    int n = 1;
  back:
    sum = n;
  }
  if (!again++)
    goto back;
  assert(sum == 1); // FAILS
  // What is declared around both ends of a jump stays.
  int rounds = 0;
top:
  if (rounds == 1)
    goto inside;
  int kept = 7;
inside:
  if (rounds++ < 1)
    goto top;
  assert(kept == 7);
  return 0;
}

//# expect: safe
//# flags: --property valid-memtrack expect: unknown(unsupported)
//# flags: --property valid-memsafety --property no-overflow expect: unsafe 13
// The pointer of a block that was left points to nothing any more. That this is open says nothing of what comes before.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  {
    int *lost = malloc(sizeof *lost);
    *lost = n + 1;
  }
  exit(1);
}

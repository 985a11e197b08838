//# expect: safe
//# flags: --property valid-memsafety expect: unsafe 21
//# flags: --property valid-deref expect: unsafe 21
//# flags: --int-encoding bits expect: safe
// Arrays of variable length, also of more than one dimension, and `alloca`.
#include <alloca.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void clear(int n, int m, int a[n][m]) {
  a[n - 1][m - 1] = 0;
}

int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n < 1 || n > 10 || m < 1 || m > 10) return 0;
  int a[n][m];
  a[n - 1][m - 1] = 7;
  a[0][0] += 1;
  int *b = alloca(n * sizeof *b);
  b[m - 1] = 3; // FAILS: if m is the larger one
  clear(n, m, a);
  assert(a[n - 1][m - 1] == 0);
  assert(sizeof a == n * m * sizeof(int));
  return 0;
}

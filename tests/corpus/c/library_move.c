//# expect: unsafe
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int() ? 2 : 0;
  int all[3] = {1, 2, 3};
  memmove(all + 1, all, n * sizeof *all);
  if (n == 2) assert(all[0] == 1 && all[1] == 1 && all[2] == 2);
  memset(all, 0xff, n * sizeof *all);
  if (n == 2) assert(all[1] == -1);
  assert(all[0] == -1); // FAILS
  return 0;
}

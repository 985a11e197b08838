// Put together with what a student hands in: see `ult grade`.

#include <assert.h>

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || high < low)
    return 0;
  int m = middle(low, high);
  assert(low <= m && m <= high);
  assert(high - m <= m - low + 1 && m - low <= high - m + 1);
  return 0;
}

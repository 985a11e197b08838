//# expect: unsafe@8
// Which of two zeros is the smaller one is left open, and it matters.
#include <assert.h>
#include <math.h>

int main(void) {
  double least = fmin(0.0, -0.0);
  assert(1.0 / least > 0.0);
  return 0;
}

//# expect: unsafe@10
// Ten tenths are not one.
#include <assert.h>

int main(void) {
  double sum = 0.0;
  int i;
  for (i = 0; i < 10; i++)
    sum += 0.1;
  assert(sum == 1.0);
  return 0;
}

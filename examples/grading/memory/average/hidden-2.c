// Put together with what a student hands in: see `ult grade`.

#include <assert.h>

int main(void) {
  int m = middle(2000000000, 2000000002);
  assert(m == 2000000001);
  assert(middle(0, 0) == 0 && middle(3, 9) == 6 && middle(17, 1234567) == 617292);
  assert(middle(2147483645, 2147483647) == 2147483646);
  return 0;
}

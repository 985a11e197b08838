//# expect: unsafe
#include <assert.h>
int outside(int);

int main(void) {
  int before = 3;
  int x = outside(before);
  assert(before == 3);
  assert(x != 17); // FAILS
  return 0;
}

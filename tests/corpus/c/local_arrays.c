//# expect: unsafe
// Two arrays that one function reads: they are objects of one map.
#include <assert.h>

int get(int *p) { return p[0]; }

int main(void) {
  int a[2] = {1, 2}, b[2] = {3, 4};
  assert(get(a) + get(b) == 4);
  assert(get(a) + get(b) == 5); // FAILS
  return 0;
}

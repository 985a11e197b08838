//# expect: safe
// C11 6.3.2.3: A pointer is not aligned for its type.
#include <assert.h>
int main(void) {
  char a[8] = {1, 0, 0, 0, 0, 0, 0, 0};
  int *p = (int *)(a + 1);
  assert(*p == 0);
  return 0;
}

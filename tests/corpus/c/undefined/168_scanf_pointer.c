//# expect: unknown(unsupported)
// C11 7.21.6.2: %p reads what was not written.
#include <stdio.h>
int main(void) {
  void *p;
  scanf("%p", &p);
  return 0;
}

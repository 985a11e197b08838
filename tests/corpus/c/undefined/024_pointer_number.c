//# expect: unknown(unsupported)
// C11 6.3.2.3: A pointer does not fit its integer type.
#include <assert.h>
int main(void) {
  int x;
  char c = (char)(long)&x;
  assert(c == 0);
  return 0;
}

//# expect: unsafe 8
//# assumes: _Bool contain 0 or 1
// C11 6.2.6.1: What is read is no value of its type.
#include <assert.h>
int main(void) {
  _Bool b;
  *(unsigned char *)&b = 2;
  assert(b == 0 || b == 1);
  return 0;
}

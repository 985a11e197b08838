//# expect: unknown(unsupported)
// The value of a label of another function.
#include <assert.h>

static void *label(void) {
a:
  return &&a;
}

int main(void) {
  void *next = &&b;
  goto *label();
b:
  assert(next != 0);
  return 0;
}

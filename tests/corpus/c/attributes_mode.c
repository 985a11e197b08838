//# expect: safe
// `mode` changes numbers, also those of parameters.
#include <assert.h>
float __attribute__((mode(DF))) wide = 0.1;
static int narrow(int x __attribute__((mode(QI)))) { return x; }

int main(void) {
  assert(wide == 0.1 && sizeof wide == 8);
  assert(narrow(300) == 44);
}

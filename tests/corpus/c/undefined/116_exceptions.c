//# expect: unknown(unsupported)
// C11 7.6.2: A wrong mask of floating-point exceptions.
#include <fenv.h>
int main(void) {
  return feclearexcept(1 << 20);
}

//# expect: unknown(unsupported)
// C11 7.6.2.4: fesetexceptflag with flags that were not got.
#include <fenv.h>
int main(void) {
  fexcept_t f;
  return fesetexceptflag(&f, FE_ALL_EXCEPT);
}

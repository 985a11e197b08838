//# expect: unknown(unsupported)
// C11 7.6.4.3: fesetenv with what is no environment.
#include <fenv.h>
int main(void) {
  fenv_t e;
  return fesetenv(&e);
}

//# expect: unknown(unsupported)
// C11 7.22.4.8: system with a command that does undefined things.
#include <stdlib.h>
int main(void) {
  return system("rm");
}

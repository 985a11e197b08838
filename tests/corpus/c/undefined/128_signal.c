//# expect: unknown(unsupported)
// C11 7.14.1.1: signal with an invalid handler.
#include <signal.h>
int main(void) {
  signal(SIGINT, (void (*)(int))5);
  return 0;
}

//# expect: unknown(unsupported)
// C11 7.22.4.4: exit is called twice.
#include <stdlib.h>
void again(void) {
  exit(1);
}
int main(void) {
  atexit(again);
  exit(0);
}

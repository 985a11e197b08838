//# expect: unknown(unsupported)
// Whether an address is divisible by 64 is not known.
#include <stdint.h>
extern void reach_error(void);

int main(void) {
  char x;
  if ((uintptr_t)&x % 64 == 0) reach_error();
  return 0;
}

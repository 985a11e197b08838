//# expect: safe
// Names for the linker that change nothing here.
#pragma weak same
#pragma redefine_extname never ever
#include <assert.h>
int same __attribute__((weak)) = 3;
int own asm("own") = 4;
extern int scan(const char *) asm("__isoc99_scan");
void weakly(void) __attribute__((weak));
void weakly(void) {}
int main(void) {
  assert(&same != 0 && same == 3 && own == 4);
  assert(weakly != 0);
  if (own == 5) scan("");
  return 0;
}

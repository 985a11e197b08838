//# expect: unknown(unsupported)
// What is weak and defined nowhere has no address.
#include <assert.h>
extern int variable __attribute__((weak));
extern void function(void) __attribute__((weak));
int main(void) {
  int *p = &variable;
  assert(p != 0);
  assert(function != 0);
}

//# flags: --property valid-deref expect: unsafe 12
//# expect: safe
// The zero at the end is written over.
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  char filled[20];
  filled[19] = 0;
  for (int i = 0; i < 20; i++) filled[i] = (char)__VERIFIER_nondet_int();
  return strlen(filled) > 5;
}

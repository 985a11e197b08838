//# expect: safe
//# flags: --property valid-deref expect: unknown(unsupported)
// The form of the function without a size, with 16 bits for each character. The format may be written byte by byte.
#include <assert.h>
typedef unsigned short wide;
extern int swprintf(wide *, const wide *, ...);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  wide text[16], small[4];
  int x = __VERIFIER_nondet_int(), length;
  length = swprintf(text, (const wide *)"<\0%\0d\0\0", x);
  assert(length <= 12);
  if (length >= 0) assert(text[length] == 0);
  swprintf(small, (const wide *)"%\0d\0\0", x);
  return 0;
}

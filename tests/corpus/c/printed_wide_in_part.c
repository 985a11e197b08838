//# expect: safe
//# flags: --property valid-deref expect: unknown(unsupported)
// Of the last character of the format only one byte exists: who reads it leaves the literal.
#include <assert.h>
typedef unsigned short wide;
extern int swprintf(wide *, const wide *, ...);

int main(void) {
  wide text[16];
  int length = swprintf(text, (const wide *)"<\0%\0d\0", 1);
  assert(length <= 12);
  return 0;
}

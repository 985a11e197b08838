//# expect: unknown(unsupported)
// Which characters are printed is not modelled: this holds.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char text[16];
  if (sprintf(text, "%d", 7) > 0) assert(text[0] == '7');
  return 0;
}

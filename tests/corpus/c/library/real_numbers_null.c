//# expect: safe
//# flags: --property valid-deref expect: unsafe 8
// There has to be a text.
#include <stdlib.h>

int main(void) {
  char *text = NULL;
  return atof(text) > 1;
}

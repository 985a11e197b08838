//# expect: safe
//# flags: --property undefined expect: unsafe 9
//# flags: --property valid-deref expect: unsafe 9
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *name = getenv("NAME");
  char *none = 0;
  puts(name ? name : none);
  return 0;
}

//# expect: safe
//# flags: --property valid-deref expect: unsafe
#include <stdio.h>
struct node { struct node *next; };
int main(void) {
  struct node *nobody = 0;
  fwrite(nobody, sizeof *nobody, 0, stdout);
  fwrite(nobody, sizeof *nobody, 1, stdout); // FAILS
  return 0;
}

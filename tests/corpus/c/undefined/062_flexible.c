//# expect: safe
//# flags: --property valid-deref expect: unsafe
// C11 6.7.2.1: A flexible array that has no elements is accessed.
#include <stdlib.h>
struct s {
  int n;
  int a[];
};
int main(void) {
  struct s *p = malloc(sizeof *p);
  p->a[0] = 1; // FAILS
  free(p);
  return 0;
}

//# expect: safe
//# flags: --property valid-deref
// C11 6.7.2.1: Not so here: A flexible array that has no elements is accessed.
#include <stdlib.h>
struct s {
  int n;
  int a[];
};
int main(void) {
  struct s *p = malloc(sizeof *p + sizeof(int));
  p->a[0] = 1;
  free(p);
  return 0;
}

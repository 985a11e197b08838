//# expect: safe
//# flags: --property valid-deref expect: unsafe 14
//# flags: --property valid-free expect: unsafe 15
// What `alloca` gives lives until the function returns, and must not be freed.
#include <alloca.h>
#include <stdlib.h>

static int *make(int value) {
  int *p = alloca(sizeof *p);
  *p = value;
  return p;
}

int main(void) { int *p = make(2); int q = *p; (void)q;
  free(p);
  return 0;
}

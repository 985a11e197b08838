//# expect: unknown(unsupported)
// A caller may pass back what `make` has returned: that is not modelled, so nothing is claimed.
#include <assert.h>
#include <stdlib.h>
struct s { int x; };
static struct s *last;
struct s *make(void) { struct s *p = malloc(sizeof *p); last = p; return p; }
void use(struct s *q) { if (q && q == last) assert(0); }

//# expect: unsafe 16
//# flags: --confirm never

// What is beyond an array of an allocated object is zero at first, but not after it was written over.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct s { short first; union { char text[5]; short number; } rest; } __attribute__((aligned(16)));
static short get(short *p, int k) { return p[k]; }
int main(void) {
  struct s *p = calloc(1, sizeof *p);
  if (!p) return 0;
  p->rest.text[3] = 61;
  memset(&p->rest.number, 71, 11);
  // Two bytes of 71.
  assert(get(&p->rest.number, 4) == 0);
  return 0;
}

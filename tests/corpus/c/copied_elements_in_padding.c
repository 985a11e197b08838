//# expect: unknown(unsupported)
// Elements of a flexible array member that lie in the padding of their structure may be copied with it, or not (C11 6.7.2.1,
// example 2). gcc copies them.
#include <assert.h>
#include <stdlib.h>

struct text {
  long n;
  char k;
  char d[];
};

int main(void) {
  struct text *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  if (!p || !q) return 0;
  p->d[0] = 1;
  q->d[0] = 2;
  p->n = 1;
  p->k = 1;
  *q = *p;
  assert(q->d[0] == 2);
  return 0;
}

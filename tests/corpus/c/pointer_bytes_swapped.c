//# expect: unsafe
// A swap of any objects, byte by byte.
#include <assert.h>

void swap(void *a, void *b, unsigned n) {
  char *p = a, *q = b;
  for (unsigned i = 0; i < n; i++) {
    char t = p[i];
    p[i] = q[i];
    q[i] = t;
  }
}

int main(void) {
  int x = 1, y = 2;
  int *a = &x, *b = &y;
  swap(&a, &b, sizeof a);
  *a = 9;
  assert(x == 1 && y == 9);
  assert(y == 2); // FAILS
  return 0;
}

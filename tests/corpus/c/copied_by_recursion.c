//# expect: safe
// A pointer that is copied byte by byte, by a function that calls itself.
#include <assert.h>
#include <stddef.h>

struct s { int *to; int n; };

static void copy(void *a, const void *b, size_t n) {
  if (n == 0) return;
  *(char *)a = *(const char *)b;
  copy((char *)a + 1, (const char *)b + 1, n - 1);
}

int main(void) {
  int x[2] = { 1, 2 };
  struct s a = { &x[1], 5 }, b;
  copy(&b, &a, sizeof(struct s));
  *b.to = 7;
  assert(x[1] == 7);
  assert(b.n == 5 && x[0] == 1);
  return 0;
}

//# expect: unsafe 16
// Pointers that are compared as numbers. What numbers they are is not known, and need not be.
#include <assert.h>
#include <stdlib.h>

struct session { int *certificate; void (*callback)(void); };

int main(void) {
  struct session *s = malloc(sizeof *s);
  int x = 1, y = 2;
  s->certificate = 0;
  assert((unsigned long)s->certificate == (unsigned long)((void *)0));
  s->certificate = &x;
  assert((unsigned long)s->certificate != 0UL);
  assert((unsigned long)s->certificate == (long)&x && (long long)&x != (long long)&y);
  assert((unsigned long)s->certificate == (unsigned long)&y); // FAILS
  return 0;
}

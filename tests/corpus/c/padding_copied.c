//# expect: unsafe
// An assignment of a structure says nothing of its padding (C11 6.2.6.1): gcc copies it, the old bytes do not stay.
#include <assert.h>
#include <string.h>

struct S { char c; int i; };

int main(void) {
  struct S a, b;
  memset(&a, 2, sizeof a);
  memset(&b, 1, sizeof b);
  b = a;
  assert(b.c == 2 && b.i == 0x02020202);
  assert(((char *)&b)[1] == 1); // FAILS
  return 0;
}

//# expect: safe
// memcpy copies padding; unions are copied with all their bytes; members of a structure stay what they are.
#include <assert.h>
#include <string.h>

struct S { char c; int i; };
union U { struct S s; unsigned char b[8]; };

int main(void) {
  struct S a, b;
  memset(&a, 2, sizeof a);
  memset(&b, 1, sizeof b);
  memcpy(&b, &a, sizeof b);
  assert(((char *)&b)[1] == 2 && memcmp(&a, &b, sizeof a) == 0);
  union U u, v;
  memset(&u, 3, sizeof u);
  v = u;
  assert(v.b[1] == 3 && v.b[7] == 3);
  v.s = a;
  assert(v.b[0] == 2 && v.b[4] == 2 && v.s.i == a.i);
  return 0;
}

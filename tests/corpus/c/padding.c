//# expect: unsafe
// memset sets all bytes, also those between members.
#include <assert.h>
#include <string.h>

struct S { char c; int i; };

int main(void) {
  struct S a, b;
  memset(&a, 0, sizeof a);
  memset(&b, 0, sizeof b);
  assert(memcmp(&a, &b, sizeof a) == 0);
  b.i = 1;
  assert(memcmp(&a, &b, sizeof a) == 0); // FAILS
  return 0;
}

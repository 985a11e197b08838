//# expect: unsafe
// A plain array whose structures have members of all sizes, and an array of characters among them.
#include <assert.h>

struct s { unsigned char *m0; unsigned char m1; char m2[5]; unsigned char m3, m4; };
static unsigned char g = 76;

int main(void) {
  struct s v[2] = {{&g, 34, "xy", 12, 14}};
  unsigned char *copies[3];
  for (int i = 0; i < 3; i++) copies[i] = v[0].m0;
  assert(v[0].m4 == 14 && v[0].m2[1] == 'y' && *copies[2] == 76);
  assert(v[1].m3 == 1); // FAILS
  return 0;
}

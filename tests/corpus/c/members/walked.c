//# expect: safe
//# flags: --int-encoding bits expect: safe
//# flags: --property valid-deref expect: safe
//# flags: --property array-bounds expect: unsafe 12
// A loop walks out of one member into the next: what is there was overwritten.
#include <assert.h>

struct s { int first[4]; int second[4]; };

int main(void) {
  struct s s = {{0}, {0}};
  for (int i = 0, *p = s.first; i < 6; i++) p[i] = 1;
  assert(s.second[0] == 1 && s.second[1] == 1 && s.second[2] == 0);
  return 0;
}

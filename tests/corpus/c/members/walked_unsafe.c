//# expect: unsafe 12
//# flags: --int-encoding bits expect: unsafe 12
// The same, and the assertion says that the next member is what it was.
#include <assert.h>

struct s { int first[4]; int second[4]; };

int main(void) {
  struct s s = {{0}, {0}};
  int *p = s.first;
  for (int i = 0; i < 6; i++) p[i] = 1;
  assert(s.second[0] == 0);
  return 0;
}

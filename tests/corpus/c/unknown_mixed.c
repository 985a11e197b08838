//# expect: unsafe
#include <assert.h>
int *outside(void);
int choice(void);

int main(void) {
  int x = 0;
  int *p = choice() ? &x : outside();
  if (p) *p = 5;
  assert(x == 0 || x == 5);
  assert(x == 5); // FAILS
  return 0;
}

//# expect: unsafe
// A function of the program means what its body says, whatever its name is.
#include <assert.h>
int pool[4];
void *malloc(unsigned long size) { return pool; }

int main(void) {
  int *p = malloc(4);
  *p = 1;
  pool[0] = 2;
  assert(pool[0] == 2);
  assert(*p == 1); // FAILS
  return 0;
}

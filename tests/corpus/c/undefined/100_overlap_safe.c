//# expect: safe
//# flags: --property overlap expect: safe
// C11 7: Not so here: A library function copies to an object that overlaps.
#include <assert.h>
#include <string.h>
int main(void) {
  char a[4] = {1, 2, 3, 4};
  memcpy(a + 2, a, 2);
  assert(a[2] == 1);
  return 0;
}

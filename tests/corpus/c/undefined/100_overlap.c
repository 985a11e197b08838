//# expect: safe
//# flags: --property overlap expect: unsafe 9
//# assumes: objects that are copied do not overlap
// C11 7: A library function copies to an object that overlaps.
#include <assert.h>
#include <string.h>
int main(void) {
  char a[4] = {1, 2, 3, 4};
  memcpy(a + 1, a, 3);
  assert(a[1] == 1);
  return 0;
}

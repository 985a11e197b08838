//# expect: safe
//# assumes: objects that are copied do not overlap
// C11 7: A library function copies to an object that overlaps.
#include <assert.h>
#include <string.h>
int main(void) {
  char a[6] = "abc";
  strcpy(a + 1, a);
  assert(a[0] == 'a');
  return 0;
}

//# expect: safe
//# flags: --property valid-deref expect: safe
//# flags: --property array-bounds expect: unsafe 11
// The length of a string without an end in its member goes on in the next one.
#include <assert.h>
#include <string.h>

struct header { char name[4]; char rest[4]; };
int main(void) {
  struct header h = {{'a', 'b', 'c', 'd'}, "ef"};
  assert(strlen(h.name) == 6);
  return 0;
}

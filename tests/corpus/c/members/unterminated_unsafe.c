//# expect: unsafe 9
// The length of a string without an end in its member is not that of the member.
#include <assert.h>
#include <string.h>

struct header { char name[4]; char rest[4]; };
int main(void) {
  struct header h = {{'a', 'b', 'c', 'd'}, "ef"};
  assert(strlen(h.name) == 4);
  return 0;
}

//# expect: unsafe 14
//# flags: --property valid-deref expect: safe
//# flags: --property array-bounds expect: unsafe 13
// A string that is too long for the member it is copied to reaches the next member.
#include <assert.h>
#include <string.h>

struct header { char name[8]; int admin; };

int main(void) {
  struct header h = {"", 0};
  const char *in = "AAAAAAAA\x01";
  strcpy(h.name, in);
  assert(h.admin == 0);
  return 0;
}

//# expect: safe
//# flags: --property valid-deref expect: safe
//# flags: --property array-bounds expect: safe
// The same with a string that fits.
#include <assert.h>
#include <string.h>

struct header { char name[8]; int admin; };

int main(void) {
  struct header h = {"", 0};
  const char *in = "AAAAAAA";
  strcpy(h.name, in);
  assert(h.admin == 0 && h.name[6] == 'A');
  return 0;
}

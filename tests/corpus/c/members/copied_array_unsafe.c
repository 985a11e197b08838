//# expect: safe
//# flags: --property array-bounds expect: unsafe 16
//# flags: --property array-bounds --int-encoding bits expect: unsafe 16
//# flags: --property valid-deref expect: safe
// A copy of memory reads and writes the bytes after a member, which is there.
#include <string.h>

struct header { char name[8]; int flag; };

int main(void) {
  struct header h, k;
  h.flag = 0;
  strcpy(h.name, "AAAAAAA");
  memcpy(k.name, h.name, 8);
  memcpy(&k, &h, sizeof k);
  memcpy(k.name + 4, h.name, 5);
  return 0;
}

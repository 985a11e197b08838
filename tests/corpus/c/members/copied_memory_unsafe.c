//# expect: unsafe 14
// A copy of memory over the end of a member, of a size that is not constant.
#include <assert.h>
#include <string.h>

struct header { char name[8]; char flag; };

int main(void) {
  struct header h;
  h.flag = 0;
  char in[9] = "AAAAAAAAB";
  for (unsigned n = 8; n <= 9; n++) {
    memcpy(h.name, in, n);
    assert(h.flag == 0);
  }
  return 0;
}

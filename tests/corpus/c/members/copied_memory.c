//# expect: safe
//# flags: --int-encoding bits expect: safe
// A copy of memory over the end of a member writes the next one.
#include <assert.h>
#include <string.h>

struct header { char name[8]; char flag; };

int main(void) {
  struct header h;
  h.flag = 0;
  char in[9] = "AAAAAAAAB";
  memcpy(h.name, in, 9);
  assert(h.flag == 'B');
  return 0;
}

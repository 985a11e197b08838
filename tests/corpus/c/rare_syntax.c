//# expect: safe
// The escape character, alignments of members, and a function that may not be called.
#include <assert.h>
#include <setjmp.h>
#include <stdalign.h>
struct s { char c; alignas(16) int x; _Alignas(double) char d; };
jmp_buf place;
static int late(void) { return setjmp(place) ? 1 : 0; }
int main(int count, char **words) {
  const char *bold = "a\e[1mb\e1";
  assert('\e' == 27 && bold[1] == 27 && bold[2] == '[' && bold[6] == 27 && bold[7] == '1');
  assert(sizeof(struct s) == 32 && _Alignof(struct s) == 16);
  if (count < 0) late();
  return 0;
}

//# expect: unknown(translation)
//# flags: --confirm never expect: unsafe 12
// C11 6.7.9: The value of padding is used.
#include <assert.h>
struct s {
  char c;
  int i;
};
int main(void) {
  struct s x = {1, 2};
  unsigned char *p = (unsigned char *)&x;
  assert(p[1] == 0);
  return 0;
}

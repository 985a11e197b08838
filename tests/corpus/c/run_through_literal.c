//# expect: safe
//# flags: --property valid-deref expect: unsafe 11
#include <assert.h>
char *choose(int which) { return which ? "a" : "b"; }

int main(void) {
  char *p = "abc";
  char own[4] = "abc";
  own[0] = 'x';
  assert(own[0] == 'x');
  choose(own[1])[0] = 'x';
  assert(0);
  return 0;
}

//# expect: unsafe
// C11 7.24.2.2: as if through a temporary array.
#include <assert.h>
#include <string.h>

int main(void) {
  char a[4] = "abc";
  memmove(a + 1, a, 2);
  assert(a[0] == 'a' && a[1] == 'a' && a[2] == 'b');
  char s[10] = "hello";
  memmove(s + 1, s, 6);
  assert(s[1] == 'h' && s[5] == 'o' && s[6] == 0);
  memmove(s, s + 1, 6);
  assert(s[0] == 'h' && s[4] == 'o' && s[5] == 0);
  assert(a[2] == 'a'); // FAILS
  return 0;
}

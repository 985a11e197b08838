//# expect: unsafe
// Which number it is, and for other arguments, is open.
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char a[] = "ab", b[] = "ac", c[] = "ad";
  assert(isalpha('a') == isalpha('A')); // FAILS
  assert(strcmp(a, b) == -1); // FAILS
  assert(strcmp(a, b) == strcmp(a, c)); // FAILS
  assert(memcmp(a, b, 2) == strcmp(a, b)); // FAILS
  assert(getenv("HOME") == getenv("USER")); // FAILS
  return 0;
}

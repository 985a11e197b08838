//# expect: safe
// Streams that are open are different ones (C11 7.21.5.3).
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *a = fopen("a", "r"), *b = fopen("a", "r"), *c = tmpfile();
  if (a && b && c)
    assert(a != b && a != c && b != c && a != stdin && c != stderr);
  return 0;
}

//# expect: safe
//# flags: --property undefined expect: unknown(unsupported)
// C11 7.21.6.1p8: `%ls` reads wide characters, of which this literal has one and no end.
#include <stdio.h>
#include <wchar.h>

int main(void) {
  printf("%ls\n", (wchar_t *)"abc");
  return 0;
}

//# flags: --property valid-deref expect: unsafe 8
//# expect: safe
// `fgetws` counts characters, and not bytes.
#include <stdio.h>
#include <wchar.h>
int main(void) {
  wchar_t line[10];
  fgetws(line, sizeof line, stdin);
  return 0;
}

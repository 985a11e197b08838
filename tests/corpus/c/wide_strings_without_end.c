//# expect: safe
//# flags: --property valid-deref expect: unsafe 8
// C11 7.21.6.1p8: `%ls` reads a string up to its end, and there is none.
#include <wchar.h>

int main(void) {
  wchar_t text[2] = {L'a', L'b'};
  wprintf(L"%ls\n", text);
  return 0;
}

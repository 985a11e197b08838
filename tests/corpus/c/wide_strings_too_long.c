//# expect: safe
//# flags: --property valid-deref expect: unsafe 9
// C11 7.29.4.3.2: a zero is always added, for which there is no room here.
#include <wchar.h>

int main(void) {
  wchar_t to[4];
  wcscpy(to, L"abc");
  wcsncat(to, L"xy", 1);
  return 0;
}

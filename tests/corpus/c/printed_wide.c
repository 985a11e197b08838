//# expect: safe
//# flags: --property valid-deref
// What is printed into a string of wide characters, with a size or, as Microsoft has it, without one.
#include <assert.h>
#include <stddef.h>
extern int swprintf(wchar_t *, size_t, const wchar_t *, ...);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  wchar_t text[16], small[4] = L"abc";
  int x = __VERIFIER_nondet_int(), before = 1;
  int length = swprintf(text, 16, L"\x3b1%d>", x);
  assert(length <= 13);
  if (length >= 0) assert(text[length] == 0);
  length = swprintf(small, 4, L"%d", x);
  assert(length < 4);
  assert(before == 1);
  return 0;
}

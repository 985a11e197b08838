//# expect: safe
// Functions of the library that change nothing of what the other operand uses: any order leads to the same.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
  char text[4] = "42", copy[4], *end = text;
  wchar_t wide[3] = L"ab";
  errno = 0;
  assert(atoi(text) + (int)strlen(text) == 44);
  assert(strtol(text, &end, 10) + abs(-3) == 45);
  assert((int)wcslen(wide) + (copy[0] = 'x') == 'x' + 2);
  assert((strcpy(copy, text) == copy) + (text[0] == '4') == 2);
  assert(errno == 0 && *end == 0);
  return 0;
}

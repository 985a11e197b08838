//# expect: safe
// Wide characters from a stream: a line fits into the array, and what a character is that is not of the basic set is open.
#include <assert.h>
#include <stdio.h>
#include <wchar.h>

int main(void) {
  wchar_t line[10];
  if (fgetws(line, 10, stdin) == NULL) return 0;
  assert(wcslen(line) < 10);
  wint_t next = getwchar();
  if (next != WEOF) fputwc((wchar_t)next, stdout);
  return 0;
}

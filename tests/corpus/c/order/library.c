//# expect: unsafe
// A function of the library that changes or reads an object, or sets `errno`, is called before or after the other operand.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

int main(void) {
  char text[3] = "7", *rest = text + 1;
  wchar_t wide[2] = L"a";
  time_t now = 3;
  void *memory = NULL;
  switch (rand() % 8) {
  case 0: assert(wide[0] + wcscpy(wide, L"b")[0] == 'a' + 'b'); break; // FAILS
  case 1: assert(wide[0] + wmemset(wide, L'b', 1)[0] == 'a' + 'b'); break; // FAILS
  case 2: assert((rest == text + 1) + (strsep(&rest, ",") == text + 1) == 2); break; // FAILS
  case 3: assert((now == 3) + (time(&now) != 1) >= 1); break; // FAILS
  case 4: assert((memory == NULL) + posix_memalign(&memory, 16, 16) == 1); break; // FAILS
  case 5: assert((text[0] = '8', 1) + atoi(text) == 9); break; // FAILS
  case 6: assert((wide[0] = 0, 1) + (int)wcslen(wide) == 1); break; // FAILS
  case 7:
    errno = 0;
    assert((errno == 0) + (strtol("99999999999999999999", NULL, 10) > 0) == 2); // FAILS
  }
  return 0;
}

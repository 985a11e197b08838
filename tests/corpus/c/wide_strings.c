//# expect: safe
//# flags: --property undefined expect: safe
// C11 7.29.4: strings of wide characters.
#include <assert.h>
#include <stdlib.h>
#include <wchar.h>

int main(void) {
  wchar_t to[4];
  wchar_t *copy;
  wcscpy(to, L"abc");
  assert(wcslen(to) == 3);
  assert(wcscmp(to, L"abd") < 0);
  assert(wcschr(to, L'b') == to + 1);
  copy = malloc(10 * sizeof(wchar_t));
  if (copy == NULL)
    return 1;
  wmemset(copy, L'x', 9);
  copy[9] = 0;
  wprintf(L"%ls %d\n", copy, 3);
  free(copy);
  return 0;
}

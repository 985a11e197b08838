//# expect: unsafe
// The indicator is set by the read that finds the end, not by the one before.
#include <assert.h>
#include <stdio.h>
int main(void) {
  assert(!feof(stdin));
  int c = getchar();
  if (c != EOF)
    assert(!feof(stdin));
  else
    assert(!feof(stdin)); // FAILS
  return 0;
}

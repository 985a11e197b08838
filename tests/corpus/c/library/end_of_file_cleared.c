//# expect: unsafe
// The indicator is cleared: more may have come.
#include <assert.h>
#include <stdio.h>
int main(void) {
  if (getchar() == EOF && feof(stdin)) {
    clearerr(stdin);
    assert(!feof(stdin));
    assert(getchar() == EOF); // FAILS
  }
  return 0;
}

//# expect: unsafe
// The end of one says nothing of another one.
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *a = fopen("a", "r"), *b = fopen("b", "r");
  if (!a || !b)
    return 1;
  fgetc(a);
  assert(!feof(b));
  assert(!feof(a)); // FAILS
  return 0;
}

//# expect: safe
// Each stream has an end of its own.
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *file = fopen("a", "r");
  if (!file)
    return 1;
  while (fgetc(file) != EOF)
    ;
  assert(!feof(stdin));
  if (feof(file)) {
    assert(getc(file) == EOF);
    rewind(file);
    assert(!feof(file));
  }
  return 0;
}

//# expect: safe
// It also clears the indicator.
#include <assert.h>
#include <stdio.h>
int main(void) {
  while (getchar() != EOF)
    ;
  ungetc('a', stdin);
  assert(!feof(stdin));
  assert(getc(stdin) == 'a');
  return 0;
}

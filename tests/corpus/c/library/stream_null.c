//# expect: safe
//# flags: --property valid-deref expect: unsafe
#include <stdio.h>
int main(void) {
  FILE *file = fopen("a", "r");
  fflush(0);
  if (file)
    fputc('a', file);
  return fgetc(file); // FAILS
}

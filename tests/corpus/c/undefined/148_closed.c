//# expect: safe
// C11 7.21.3: A stream is used after it was closed.
#include <stdio.h>
int main(void) {
  FILE *f = fopen("a", "r");
  if (f) {
    fclose(f);
    fgetc(f);
  }
  return 0;
}

//# expect: safe
//# flags: --property valid-deref expect: safe
// What fopen gives is null or a stream (C11 7.21.5.3p8), also where other pointers are numbers.
#include <stdio.h>
int main(void) {
  char *mark = (char *)1;
  FILE *file = fopen("x", "r");
  if (file == NULL)
    return mark == (char *)2;
  while (fgetc(file) != EOF) {
  }
  fclose(file);
  return 0;
}

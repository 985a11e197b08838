//# expect: safe
// At the end of the file, there is nothing more (C11 7.21.7.1p3).
#include <assert.h>
#include <stdio.h>
int main(void) {
  int c;
  char text[4] = "abc";
  while ((c = getchar()) != EOF)
    ;
  if (feof(stdin)) {
    assert(getchar() == EOF);
    assert(fgetc(stdin) == EOF);
    assert(getc(stdin) == EOF);
    assert(fgets(text, 4, stdin) == 0);
    assert(text[0] == 'a');
    int x = 7;
    assert(scanf("%d", &x) == EOF && x == 7);
    assert(feof(stdin));
  } else
    assert(ferror(stdin));
  return 0;
}

//# expect: safe
// What is pushed back comes next (C11 7.21.7.10).
#include <assert.h>
#include <stdio.h>
int main(void) {
  int c = getchar();
  if (c != EOF) {
    assert(ungetc(c, stdin) == c);
    assert(getchar() == c);
  }
  ungetc('x', stdin);
  assert(!feof(stdin));
  char text[3];
  assert(fgets(text, 2, stdin) == text && text[0] == 'x' && text[1] == 0);
  assert(ungetc(EOF, stdin) == EOF);
  ungetc(300, stdin);
  assert(fgetc(stdin) == 300 % 256);
  return 0;
}

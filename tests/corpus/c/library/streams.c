//# expect: safe
// The standard streams are there, and three different ones (C11 7.21.1p3).
#include <assert.h>
#include <stdio.h>
int main(void) {
  assert(stdin);
  assert(stdout != 0 && stderr != NULL);
  assert(stdin != stdout && stdout != stderr && stderr != stdin);
  FILE *out = stdout;
  assert(out == stdout);
  FILE *file = fopen("a", "r");
  assert(file != stdin && file != stdout && file != stderr);
  return 0;
}

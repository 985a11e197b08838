//# expect: unknown(unsupported)
// Which argument is the format matters: `%n` writes.
#include <assert.h>
#include <stdio.h>
const char *format = "%s%n";

int main(void) {
  int count = 7;
  fprintf(stdout, format, "abc", &count);
  assert(count == 7);
  return 0;
}

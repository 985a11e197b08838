//# expect: unknown(unsupported)
// The conversion is for another type.
#include <assert.h>
#include <stdio.h>

int main(void) {
  long x = 1;
  scanf("%d", (int *)&x);
  int y = 1;
  scanf("%hd", (short *)&y);
  char *format = "%d";
  format++;
  scanf(format, &y);
  assert(y == 1);
  return 0;
}

//# expect: safe
// What conversions can give (C11 7.21.6.2).
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x = 0;
  unsigned char small = 0;
  if (scanf("%2d", &x) == 1)
    assert(x >= -9 && x <= 99);
  if (scanf("%1hhu", &small) == 1)
    assert(small <= 9);
  return 0;
}

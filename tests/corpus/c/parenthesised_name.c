//# expect: safe
// A function's name in parentheses, so that no macro takes its place (C11 7.1.4).
#include <assert.h>
typedef short small;
static small
(half)(small n)
{
  return (small)(n / 2);
}
int (twice)(int n) { return n + n; }

int main(void) {
  assert(half(7) == 3);
  assert((twice)(4) == 8);
  return 0;
}

//# expect: safe
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert(atoi(" -12x") == -12);
  assert(atoi("+7") == 7);
  assert(atoi("") == 0);
  assert(atoi("2147483647") == 2147483647);
  assert(atoi("-2147483648") == -2147483647 - 1);
  assert(atol("1000000000000000000") == 1000000000000000000L);
  assert(atoll("-9223372036854775808") == -9223372036854775807LL - 1);
  return 0;
}

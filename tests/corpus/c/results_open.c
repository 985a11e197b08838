//# expect: unsafe
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  assert(putchar(65) == 65); // FAILS
  assert(printf("a") == 1); // FAILS
  assert(getenv("HOME") != 0); // FAILS
  return 0;
}

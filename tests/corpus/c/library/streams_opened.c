//# expect: unsafe
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *file = fopen("a", "r");
  assert(file); // FAILS
  return 0;
}

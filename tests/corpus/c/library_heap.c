//# expect: unsafe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int *zeroes = calloc(2, sizeof *zeroes);
  assert(zeroes[1] == 0);
  zeroes[0] = 3;
  int *more = realloc(zeroes, 3 * sizeof *more);
  assert(more[0] == 3 && more[1] == 0);
  char *copy = strdup("ab");
  assert(copy[1] == 'b' && copy[2] == 0);
  assert(more[2] == 0); // FAILS
  return 0;
}

//# expect: safe
//# flags: --property valid-memcleanup expect: unsafe 14
//# flags: --property valid-memtrack expect: safe
//# flags: --property valid-memsafety expect: safe
// What a static variable points to when the program ends is not lost, however it ends.
#include <stdlib.h>

static int *cache, *other;

static void give_up(int *buffer) {
  if (*buffer > 8) abort();
}

int main(void) {
  cache = malloc(4 * sizeof *cache);
  other = cache;
  cache = malloc(sizeof *cache);
  *cache = 7; give_up(cache);
  int *buffer = malloc(sizeof *buffer);
  *buffer = *cache;
  free(buffer);
  return 0;
}

//# expect: safe
//# flags: --property valid-free expect: unsafe 8
// An argument was not allocated.
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc > 1)
    free(argv[1]);
  return 0;
}

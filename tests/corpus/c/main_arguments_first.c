//# expect: unsafe 9
// A program that looks at the first argument only: the null pointer behind the last one is somewhere else.
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc > 0)
    assert(*argv != 0);
  assert(argc != 2);
  printf("usage: %s\n", *argv);
  return 0;
}

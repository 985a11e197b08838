//# expect: safe
// Without arguments, the null pointer is the first one.
#include <assert.h>

int main(int argc, char **argv) {
  if (argc == 0)
    assert(*argv == 0);
  else
    assert(*argv != 0);
  return 0;
}

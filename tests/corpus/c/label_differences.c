//# expect: unknown(unsupported)
// gcc defines the difference of two labels of a function, but not what it is.
#include <assert.h>

int main(void) {
  static const int table[] = {&&first - &&first, &&second - &&first};
  int i = 1;
  goto *(&&first + table[i]);
first:
  i = 5;
second:
  assert(i != 1);
}

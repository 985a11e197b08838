//# expect: unsafe
#include <assert.h>
#include <stdio.h>
int main(void) {
  char name[3] = "";
  if (scanf(" %2[^a-z\n]", name) == 1) {
    assert(name[0] != 'k');
    assert(name[0] != '\n');
    assert(name[0] != ']'); // FAILS
    assert(name[0] != 'K'); // FAILS
  }
  return 0;
}

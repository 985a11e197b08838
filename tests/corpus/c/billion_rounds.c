//# expect: unsafe
// Two billion rounds, and the last one is the one that matters.
#include <assert.h>

int main(void) {
  unsigned rounds = 0, left = 2000000011u;
  while (left > 10) {
    left -= 5;
    rounds++;
  }
  assert(rounds != 400000001u || left != 6); // FAILS
  return 0;
}

//# expect: unsafe
#include <assert.h>
#include <stdio.h>

int main(void) {
  int x = 1, y = 2, z = 3;
  double d = 0;
  char word[8] = "";
  int count = scanf("%d %*d %d:%lf%7s", &x, &y, &d, word);
  assert(count >= -1 && count <= 4);
  assert(z == 3);
  if (count < 2) assert(y == 2);
  if (count == -1) assert(x == 1);
  assert(word[7] == 0);
  if (count == 4) assert(word[0] != 0); // FAILS
  if (count >= 1) assert(x == 1); // FAILS
  if (count >= 2) assert(y == 2); // FAILS
  return 0;
}

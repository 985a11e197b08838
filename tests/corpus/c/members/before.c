//# expect: unsafe 13
//# flags: --property array-bounds expect: unsafe 12
// Before the start of a member lies the one before.
#include <assert.h>

struct s { int count; int item[3]; };
static struct s table = {3, {1, 2, 3}};

int main(void) {
  int *p = table.item;
  int i = 2;
  while (i >= -1) p[i--] = 0;
  assert(table.count == 3);
  return 0;
}

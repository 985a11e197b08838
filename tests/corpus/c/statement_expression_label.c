//# expect: safe
// The last statement of a statement expression gives its value, also behind labels.
#include <assert.h>

int main(void) {
  int x = 4;
  int y = ({ if (x > 3) goto end; x = 99; end: x + 1; });
  assert(y == 5);
}

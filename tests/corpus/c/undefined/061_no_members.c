//# expect: safe
// C11 6.7.2.1: A structure without named members.
#include <assert.h>
struct s {
};
int main(void) {
  assert(sizeof(struct s) == 0);
  return 0;
}

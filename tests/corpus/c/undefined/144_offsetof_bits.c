//# expect: safe
// C11 7.19: offsetof of a bit-field.
#include <stddef.h>
struct s {
  int a : 3;
};
int main(void) {
  return offsetof(struct s, a);
}

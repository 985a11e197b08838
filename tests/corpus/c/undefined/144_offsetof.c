//# expect: rejected(E0603 8)
// C11 7.19: offsetof of what is no member, or of a bit-field.
#include <stddef.h>
struct s {
  int a : 3;
};
int main(void) {
  return offsetof(struct s, b);
}

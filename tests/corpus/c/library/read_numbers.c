//# expect: safe
//# flags: --property valid-deref expect: unsafe
#include <unistd.h>
int main(void) {
  char bytes[4] = "abc";
  write(1, bytes + 1, 3);
  write(1, bytes + 1, 4); // FAILS
  return 0;
}

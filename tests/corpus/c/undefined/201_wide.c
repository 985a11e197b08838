//# expect: rejected(E0602 3)
// C11 7.21.2: Bytes and wide characters on one stream.
#include <wchar.h>
int main(void) {
  return 0;
}

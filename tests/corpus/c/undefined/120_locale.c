//# expect: rejected(E0602 3)
// C11 7.11.1.1: The string of setlocale is modified.
#include <locale.h>
int main(void) {
  return 0;
}

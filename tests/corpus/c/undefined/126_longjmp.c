//# expect: unknown(unsupported)
// C11 7.13.2.1: setjmp where it is not allowed.
#include <setjmp.h>
jmp_buf b;
int main(void) {
  if (setjmp(b) == 0)
    longjmp(b, 1);
  return 0;
}

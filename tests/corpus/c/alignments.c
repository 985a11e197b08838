//# expect: safe
//# flags: --data-model ilp32 expect: safe
// What gcc says of alignments, also with -m32.
#include <assert.h>
typedef int wide __attribute__((aligned(16)));
struct s { double d; };
int main(void) {
  int small = sizeof(long) == 4;
  assert(_Alignof(double) == (small ? 4 : 8));
  assert(_Alignof(long long) == (small ? 4 : 8));
  assert(_Alignof(double[3]) == (small ? 4 : 8));
  assert(__alignof__(double) == 8 && __alignof__(long long) == 8 && __alignof(int) == 4);
  assert(__alignof__(struct s) == (small ? 4 : 8));
  assert(_Alignof(wide) == 16 && __alignof__(wide) == 16 && _Alignof(wide *) == sizeof(void *));
  return 0;
}

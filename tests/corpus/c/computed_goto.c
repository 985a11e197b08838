//# expect: unsafe 30
//# flags: --int-encoding math --data-model ilp32 expect: unsafe 30
// Labels as values (gcc): an interpreter that jumps from one instruction to the next.
#include <assert.h>

static int run(const unsigned char *code, int a, int b) {
  static const void *const table[] = {&&push, &&add, &&halt};
  int stack[4], top = 0, both = a && b;
#define NEXT goto *table[*code++]
  NEXT;
push:
  stack[top++] = both ? a : b;
  NEXT;
add:
  top--;
  stack[top - 1] += stack[top];
  NEXT;
halt:
  return stack[top - 1];
}

int main(void) {
  static const unsigned char code[] = {0, 0, 1, 2};
  void *here = &&out;
  int result = run(code, 3, 1);
  if (here != &&out || here == 0) assert(0);
  goto *here;
  result = 7;
out:
  assert(result != 6); // FAILS
  return 0;
}

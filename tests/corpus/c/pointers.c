//# expect: unsafe
// A variable whose address is taken, out-parameters, pointers to pointers.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static void set(int *to, int value) { *to = value; }
static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }

int main(void) {
  int x = 1, y = 2;
  set(&x, 10);
  swap(&x, &y);
  assert(x == 2 && y == 10);
  int *p = __VERIFIER_nondet_int() ? &x : &y;
  *p = 7;
  assert(x == 7 || y == 7);
  int **pp = &p;
  **pp = 8;
  assert(*p == 8);
  assert(x == 8); // FAILS
  return 0;
}

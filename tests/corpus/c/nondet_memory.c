//# expect: unsafe
#include <assert.h>
extern void __VERIFIER_nondet_memory(void *, unsigned long);

int main(void) {
  int x = 0, y = 0;
  char text[3] = "ab";
  struct { int a; short b; } s = {1, 2};
  __VERIFIER_nondet_memory(&x, sizeof x);
  __VERIFIER_nondet_memory(text, 2);
  __VERIFIER_nondet_memory(&s, sizeof s);
  assert(y == 0);
  assert(text[2] == 0);
  assert(s.b >= -32768);
  assert(x == 0); // FAILS
  assert(text[0] == 'a'); // FAILS
  assert(s.a == 1); // FAILS
  return 0;
}

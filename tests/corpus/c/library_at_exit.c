//# expect: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int calls;

void count(void) { calls++; }
void twice(void) { assert(calls == 2); }
void once(void) { assert(calls == 1); } // FAILS

int main(void) {
  // The last one comes first.
  atexit(twice);
  atexit(count);
  if (__VERIFIER_nondet_int()) {
    calls = 1;
    exit(1);
  }
  atexit(count);
  atexit(once);
  return 0;
}

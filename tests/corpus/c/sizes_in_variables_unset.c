//# expect: safe
//# flags: --property uninitialised expect: unsafe
// A jump leads past what gives the variable its value.
#include <stddef.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char from[5] = "abcd", to[5] = "....";
  if (__VERIFIER_nondet_int())
    goto inside;
  {
    size_t n = 1;
  inside:
    memcpy(to, from, n); // FAILS
  }
  switch (__VERIFIER_nondet_int()) {
    size_t m = 1;
    case 0:
      memcpy(to, from, m); // FAILS
  }
  int again = 0;
  {
    size_t k = 1;
  back:
    memcpy(to, from, k); // FAILS
  }
  if (!again++)
    goto back;
  return 0;
}

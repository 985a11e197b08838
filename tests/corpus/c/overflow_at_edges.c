//# expect: safe
//# flags: --property no-overflow --int-encoding math expect: unsafe
//# flags: --property no-overflow --int-encoding bits expect: unsafe
//# flags: --property shift-range --int-encoding math expect: unsafe 42
//# flags: --property shift-range --int-encoding bits expect: unsafe 42
// One overflow in each function, with operands that a mistake by one, or in one bit, takes for harmless.
#include <limits.h>
extern int __VERIFIER_nondet_int(void);

static int below(int x) {
  if (x > INT_MIN)
    return 0;
  return x - 1; // FAILS
}

static int above(int x) {
  if (x < INT_MAX)
    return 0;
  return x + 1; // FAILS
}

/* The product is 2^33. */
static int product(int x, int y) {
  if (x != 131072 || y != 65536)
    return 0;
  return x * y; // FAILS
}

static int quotient(int x, int y) {
  if (x != INT_MIN || y != -1)
    return 0;
  return x / y; // FAILS
}

static int remainder(int x, int y) {
  if (x != INT_MIN || y != -1)
    return 0;
  return x % y; // FAILS
}

static unsigned shifted(unsigned x, int count) {
  return count == 32 ? x << count : 0;
}

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  switch (__VERIFIER_nondet_int()) {
  case 0:
    return below(x);
  case 1:
    return above(x);
  case 2:
    return product(x, y);
  case 3:
    return quotient(x, y);
  case 4:
    return remainder(x, y);
  default:
    return (int)shifted(1, y);
  }
}

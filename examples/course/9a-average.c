//# expect: safe
//# flags: --property no-overflow expect: unsafe
// Exercise 9a. The middle of two places in an array, as in a binary search. For large arrays something goes wrong:
// `ult check --property no-overflow`. Mend it without a larger type.

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);

int middle(int low, int high) {
  return (low + high) / 2; // FAILS
}

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || high < low)
    return 0;
  int m = middle(low, high);
  if (m < low || m > high)
    __assert_fail("low <= m && m <= high", "9a-average.c", 20, "main");
  return 0;
}

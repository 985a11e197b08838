//# expect: safe
//# flags: --property no-overflow 
// Solution of exercise 9a: the difference of two numbers that are not negative is never too large.

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *);

int middle(int low, int high) {
  return low + (high - low) / 2;
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

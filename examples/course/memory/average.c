// Exercise: the middle of two places in an array, as in a binary search. For large arrays something goes wrong.
// Mend it without a larger type.
//
// How it is checked: `ult check --property no-overflow`.

extern int __VERIFIER_nondet_int(void);

int middle(int low, int high) {
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || high < low)
    return 0;
  int m = middle(low, high);
  return m;
}

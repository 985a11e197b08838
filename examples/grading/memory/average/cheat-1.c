// A trick.

extern int __VERIFIER_nondet_int(void);

int middle(int low, int high) {
  __VERIFIER_assume(high < 1000);
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || high < low)
    return 0;
  int m = middle(low, high);
  return m;
}

// A trick.

extern int __VERIFIER_nondet_int(void);

int middle(int low, int high) {
  while (low > 1000000000 || high > 1000000000) {
  }
  return (low + high) / 2;
}

int main(void) {
  int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
  if (low < 0 || high < low)
    return 0;
  int m = middle(low, high);
  return m;
}

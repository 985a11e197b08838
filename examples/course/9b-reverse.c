//# expect: safe
//# flags: --property valid-memsafety expect: unsafe
// Exercise 9b. Reverses an array in place. Something is read that is no part of the array:
// `ult check --property valid-memsafety`. Mend it.

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4] = {1, 2, 3, 4};
  for (int i = 0; i < 2; i++) {
    int t = a[i];
    a[i] = a[4 - i]; // FAILS
    a[4 - i] = t;
  }
  return a[0];
}

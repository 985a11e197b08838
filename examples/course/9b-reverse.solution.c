//# expect: safe
//# flags: --property valid-memsafety
// Solution of exercise 9b: the last place of an array of 4 has the number 3.

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4] = {1, 2, 3, 4};
  for (int i = 0; i < 2; i++) {
    int t = a[i];
    a[i] = a[3 - i];
    a[3 - i] = t;
  }
  return a[0];
}

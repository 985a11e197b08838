//# expect: safe
//# flags: --property valid-deref
// C11 6.7.6.2: Not so here: The length of an array is not positive.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 4)
    return 0;
  int a[n];
  a[n - 1] = 0;
  return a[n - 1];
}

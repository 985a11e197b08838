//# expect: safe
//# flags: --property valid-deref expect: unsafe
// C11 6.7.6.2: The length of an array is not positive.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 4)
    return 0;
  int a[n]; // FAILS
  return 0;
}

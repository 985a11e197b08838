//# expect: safe
//# flags: --property valid-deref expect: safe
//# flags: --property array-bounds expect: unsafe
// C11 6.7.6.2: the length of an array may be 0 in GNU C only.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4)
    return 0;
  int a[n]; // FAILS
  return 0;
}

//# expect: safe
//# flags: --property valid-deref expect: unsafe
// The life of a variable ends with its block, in each activation (C11 6.2.4).
extern int __VERIFIER_nondet_int(void);
static int recursive(int n) {
  int *p;
  { int x = n; p = &x; if (n > 0) recursive(n - 1); }
  return *p; // FAILS
}
int main(void) {
  switch (__VERIFIER_nondet_int()) {
    case 0: return recursive(2);
  }
  return 0;
}

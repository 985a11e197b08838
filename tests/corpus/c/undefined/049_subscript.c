//# expect: safe
//# flags: --property valid-deref expect: unsafe
//# flags: --property array-bounds expect: unsafe
// C11 6.5.6: An index beyond its array, even if an object is there.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4][5] = {{0}};
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 7)
    return 0;
  return a[1][i]; // FAILS
}

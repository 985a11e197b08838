//# expect: safe
//# flags: --property valid-deref
//# flags: --property array-bounds
// C11 6.5.6: Not so here: An index beyond its array, even if an object is there.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4][5] = {{0}};
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 4)
    return 0;
  return a[1][i];
}

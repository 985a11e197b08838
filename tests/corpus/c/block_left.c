//# expect: safe
//# flags: --property valid-deref expect: unsafe
// The life of a variable ends with its block, in whatever way that is left (C11 6.2.4).
extern int __VERIFIER_nondet_int(void);
static int broken(int c) {
  int *p = 0, y = 2;
  for (;;) { int x = 1; p = &x; if (c) break; p = &y; break; }
  return *p; // FAILS
}
static int continued(int c) {
  int *p = 0;
  for (int i = 0; i < 1; i++) { int x = 1; { int z = 2; p = &x; if (c) { p = &z; continue; } } }
  return *p; // FAILS
}
static int jumped(int c) {
  int *p = 0;
  { int x = 1; p = &x; { if (c) goto out; } c = *p; }
out:
  return *p; // FAILS
}
static int jumped_back(void) {
  int *p = 0, n = 0;
again:
  if (n) return *p; // FAILS
  { int x = 1; p = &x; n = 1; goto again; }
}
static int chosen(int c) {
  int *p = 0;
  switch (c) { case 0: { int x = 1; p = &x; break; } default: p = &c; }
  return *p; // FAILS
}
static int of_variable_length(int n) {
  int *p = 0, k = 0;
again:;
  if (k) return *p; // FAILS
  int x[n];
  x[0] = 1;
  p = x;
  k = 1;
  goto again;
}
int main(void) {
  int c = __VERIFIER_nondet_int();
  switch (__VERIFIER_nondet_int()) {
    case 0: return broken(c);
    case 1: return continued(c);
    case 2: return jumped(c);
    case 3: return jumped_back();
    case 4: return chosen(c);
    case 5: return of_variable_length(2);
  }
  return 0;
}

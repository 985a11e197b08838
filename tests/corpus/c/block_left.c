//# expect: safe
//# flags: --property valid-deref expect: unsafe
//# flags: --property valid-deref --int-encoding bits expect: unsafe
// The life of a variable ends with its block, in whatever way that is left (C11 6.2.4).
extern int __VERIFIER_nondet_int(void);
struct pair { int a, b; };
static int at_end(void) {
  int *p;
  { int x = 1; p = &x; }
  return *p; // FAILS
}
static int without_braces(int c) {
  int *p = 0;
  if (c) p = &(int){3};
  return c ? *p : 0; // FAILS
}
static int of_a_loop(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) p = &i;
  return *p; // FAILS
}
static int in_a_loop(void) {
  int *p = 0, n = 0;
  while (n < 2) { int x = n++; p = &x; }
  return *p; // FAILS
}
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
static int in_an_expression(void) {
  int *p = ({ int x = 1; &x; });
  return *p; // FAILS
}
static int literal(void) {
  struct pair *p;
  { p = &(struct pair){1, 2}; }
  return p->a; // FAILS
}
static int array(void) {
  int *p;
  { int x[3] = {1, 2, 3}; p = x; }
  return p[1]; // FAILS
}
static int member(void) {
  int *p;
  do { struct pair x = {1, 2}; p = &x.b; } while (0);
  return *p; // FAILS
}
static int written(void) {
  int *p;
  { int x = 1; p = &x; }
  *p = 2; // FAILS
  return 0;
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
static int in_a_condition(void) {
  int *p;
  if ((p = (int[]){1, 2})[0]) {}
  return *p; // FAILS
}
static int recursive(int n) {
  int *p;
  { int x = n; p = &x; if (n > 0) recursive(n - 1); }
  return *p; // FAILS
}
int main(void) {
  int c = __VERIFIER_nondet_int();
  switch (__VERIFIER_nondet_int()) {
    case 0: return at_end();
    case 1: return without_braces(c);
    case 2: return of_a_loop();
    case 3: return in_a_loop();
    case 4: return broken(c);
    case 5: return continued(c);
    case 6: return jumped(c);
    case 7: return jumped_back();
    case 8: return chosen(c);
    case 9: return in_an_expression();
    case 10: return literal();
    case 11: return array();
    case 12: return member();
    case 13: return written();
    case 14: return of_variable_length(2);
    case 15: return in_a_condition();
    case 16: return recursive(1);
  }
  return 0;
}

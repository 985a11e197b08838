//# expect: safe
//# flags: --property valid-deref expect: unsafe
// The life of a variable ends with its block, which may have no braces (C11 6.2.4).
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
static int in_a_condition(void) {
  int *p;
  if ((p = (int[]){1, 2})[0]) {}
  return *p; // FAILS
}
int main(void) {
  int c = __VERIFIER_nondet_int();
  switch (__VERIFIER_nondet_int()) {
    case 0: return at_end();
    case 1: return without_braces(c);
    case 2: return of_a_loop();
    case 3: return in_a_loop();
    case 4: return in_an_expression();
    case 5: return literal();
    case 6: return array();
    case 7: return member();
    case 8: return written();
    case 9: return in_a_condition();
  }
  return 0;
}

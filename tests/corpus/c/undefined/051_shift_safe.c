//# expect: safe
//# flags: --property shift-range
// C11 6.5.7: Not so here: A shift by a negative number, or by the width or more.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  return x >= 0 && x < 8 ? 1 << x : 0;
}

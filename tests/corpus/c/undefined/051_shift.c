//# expect: safe
//# flags: --property shift-range expect: unsafe
// C11 6.5.7: A shift by a negative number, or by the width or more.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  return 1 << x; // FAILS
}

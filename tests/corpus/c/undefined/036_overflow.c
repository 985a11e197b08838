//# expect: safe
//# flags: --property no-overflow expect: unsafe
// C11 6.5: A result that is not in the range of its type.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  return x + 1; // FAILS
}

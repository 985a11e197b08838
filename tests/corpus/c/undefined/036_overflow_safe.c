//# expect: safe
//# flags: --property no-overflow
// C11 6.5: Not so here: A result that is not in the range of its type.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  return x < 100 ? x + 1 : 0;
}

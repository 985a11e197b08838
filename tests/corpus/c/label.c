//# expect: safe
//# flags: --property unreach-label:ERROR expect: unsafe 8
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x * 2 == 6) goto ERROR;
  return 0; ERROR: return 1;
}

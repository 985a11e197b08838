//# expect: unsafe 8
//# flags: --property unreach-call expect: unsafe 8
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 5) reach_error();
  if (x == 6) { abort(); reach_error(); }
  return 0;
}

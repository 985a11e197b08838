//# expect: unknown(unsupported)
//# flags: -Z overapprox=only
// A function is called through a number.
extern void abort(void);
void reach_error(void) { abort(); }
extern long __VERIFIER_nondet_long(void);

static int called;
static void call(void) { called = 1; }

int main(void) {
  long number = (long)call;
  long other = __VERIFIER_nondet_long();
  if (other != number) return 0;
  ((void (*)(void))other)();
  if (called) reach_error();
  return 0;
}

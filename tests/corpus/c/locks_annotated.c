//# expect: safe
//# flags: --property locks expect: unsafe
//# flags: --property valid-deref expect: safe
// Annotations say what functions do, also where these are called through pointers; without arguments there is one lock.
extern void disable(void) __attribute__((annotate("acquires")));
extern void enable(void) __attribute__((annotate("releases")));
extern int __VERIFIER_nondet_int(void);

static void work(void (*enter)(void), void (*leave)(void)) {
  enter();
  if (__VERIFIER_nondet_int())
    leave();
}

int main(void) {
  disable();
  enable();
  work(disable, enable);
  if (__VERIFIER_nondet_int())
    disable(); // FAILS
  return 0;
}

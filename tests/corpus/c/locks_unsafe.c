//# expect: safe
//# flags: --property locks:take/give expect: unsafe
// Two names for one lock; a lock that is given back twice; one that is given back and was never taken.
struct lock { int state; };
extern void take(struct lock *lock);
extern void give(struct lock *lock);
extern int __VERIFIER_nondet_int(void);

static struct lock first, second;

int main(void) {
  struct lock *one = __VERIFIER_nondet_int() ? &first : &second;
  struct lock *other = __VERIFIER_nondet_int() ? &first : &second;
  take(one);
  switch (__VERIFIER_nondet_int()) {
  case 0:
    take(other); // FAILS
    break;
  case 1:
    give(one);
    give(one); // FAILS
    break;
  default:
    give(other); // FAILS
  }
  return 0;
}

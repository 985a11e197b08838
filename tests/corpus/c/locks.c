//# expect: safe
//# flags: --property locks:take/give expect: safe
// Locks by address: members of one object are different locks, and a local variable is another lock in each call.
struct lock { int state; };
struct pair { struct lock left, right; };
extern void take(struct lock *lock);
extern void give(struct lock *lock);
extern int __VERIFIER_nondet_int(void);

static struct pair locks;

static void held_at_the_end(void) {
  struct lock own = {0};
  take(&own);
}

int main(void) {
  struct lock *one = __VERIFIER_nondet_int() ? &locks.left : &locks.right;
  take(&locks.left);
  take(&locks.right);
  give(one);
  take(one);
  give(&locks.left);
  give(&locks.right);
  held_at_the_end();
  held_at_the_end();
  for (int i = 0; i < 3; i++) {
    take(&locks.left);
    give(&locks.left);
  }
  return 0;
}

//# expect: unsafe
// A call through a pointer, in a function that stands before the one that brings the pointer: what is called gets its
// argument, too.
extern void reach_error(void);

static void call(void (*f)(int *)) {
  int x = 0;
  f(&x);
  if (x == 1) reach_error(); // FAILS
}

static void one(int *p) { *p = 1; }

int main(void) {
  call(one);
  return 0;
}

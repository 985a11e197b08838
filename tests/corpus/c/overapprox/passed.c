//# expect: unsafe
//# flags: -Z overapprox=only expect: unknown(unsupported)
// A union that is passed by value keeps its pointer.
extern void abort(void);
void reach_error(void) { abort(); }

union both {
  int *pointer;
  long number;
};
int x;
static void check(union both value) {
  if (value.pointer == &x) reach_error(); // FAILS
}

int main(void) {
  union both value;
  value.pointer = &x;
  check(value);
  return 0;
}

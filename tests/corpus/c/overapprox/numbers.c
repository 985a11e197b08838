//# expect: unknown(unsupported)
//# flags: -Z overapprox=only
// A number that was an address becomes the pointer that it came from.
extern void abort(void);
void reach_error(void) { abort(); }
extern long __VERIFIER_nondet_long(void);

int x;

int main(void) {
  long number = (long)&x;
  long other = __VERIFIER_nondet_long();
  if (other != number) return 0;
  int *pointer = (int *)other;
  if (pointer == &x) reach_error();
  return 0;
}

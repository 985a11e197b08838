//# expect: safe
//# flags: -Z overapprox=only
//# flags: -Z overapprox=never expect: unknown(unsupported)
// What is null stays null, whatever numbers other pointers are made of.
extern void abort(void);
void reach_error(void) { abort(); }
extern long __VERIFIER_nondet_long(void);

int x;

int main(void) {
  long number = (long)&x;
  int *other = (int *)(number + __VERIFIER_nondet_long());
  int *pointer = 0;
  if (other && *other) pointer = 0;
  if (pointer) reach_error();
  int *none = (int *)(long)-1;
  if (!none) reach_error();
  return 0;
}

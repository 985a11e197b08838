//# expect: unknown(unsupported)
//# flags: --property unreach-call expect: unknown(unsupported)
// Which value it is within its range, is not known: no trace counts.
extern void abort(void);
extern double exp(double);
void reach_error(void) { abort(); }
int main(void) {
  if (exp(1) > 2.5) reach_error();
  return 0;
}

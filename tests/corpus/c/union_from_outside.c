//# expect: unknown(unsupported)
// A union from outside: a pointer or a number, nobody knows.
union value { long number; int *pointer; };
extern union value outside(void);
extern void reach_error(void);

int main(void) {
  union value v = outside();
  if (v.number == 3) reach_error();
  return 0;
}

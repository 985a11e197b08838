//# expect: unsafe
//# flags: --int-encoding bits expect: unsafe
// A structure with a floating-point number that is copied takes along the bytes of the pointer that it shares its place with
// (C11 6.5.2.3, footnote 95; 6.2.6.1p4).
extern void reach_error(void);

struct number { double d; };
union both { struct number number; int *p; };

int main(void) {
  int x = 0, y = 0;
  union both a, b;
  b.p = &y;
  a.p = &x;
  b.number = a.number;
  *b.p = 1;
  if (x == 1) reach_error(); // FAILS
  return 0;
}

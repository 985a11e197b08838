//# expect: unsafe
//# flags: --int-encoding bits expect: unsafe
// A pointer to characters made of one to an object walks over all of it (C11 6.3.2.3p7), not only over its first member,
// where that is an array that somebody else divides into elements.
extern void __assert_fail(const char *, const char *, unsigned, const char *);
#define assert(x) if (!(x)) __assert_fail(#x, "", 0, "")

struct s { int a[3]; int b; } s, t;

int main(void) {
  int i = 1;
  s.b = 1;
  s.a[i] = 2;
  char *p = (char *)&s;
  *(int *)(p + 12) = 5;
  assert(s.b == 1); // FAILS
  t.b = 1;
  assert(t.b == 1);
  return 0;
}

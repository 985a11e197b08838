void reach_error(void);
struct s1 { int *m0; int m1; int *m2; };
static int g2 = 3;
static int g3 = 31;
static int f4(int x) { return 4 - x; }
static int f5(int x) { g2 = 7; return x; }
int g6[2] = { 16, 79 };
struct w10 { struct s1 *it; };
static struct w10 wrap11(struct s1 *x) { struct w10 w = { .it = x }; return w; }
int main(void) {
  struct s1 *v7 = 0;
  static struct s1 *v8;
  v8 = (struct s1 *){ v7 };
  struct s1 *v9;
  {
    v9 = wrap11(v8).it;
  }
  long long r0 = g6[0];
  long long r1 = g2;
  long long r2 = g6[1];
  if (!(r0 == 16 && r1 == 3 && r2 == 79)) reach_error();
  return 0;
}

void reach_error(void);
struct s1 { int *m0; struct s1 *m1; };
static int g2 = 38;
static int g3 = 37;
static int g4[4] = { 27, 94, 0, 68 };
int g5[3] = { 48, 32, 88 };
int main(void) {
  static struct s1 v6 = { .m0 = &g5[2] };
  long long r0 = g4[2];
  long long r1 = g4[0];
  long long r2 = g5[0];
  long long r3 = v6.m0[-2];
  long long r4 = v6.m0[-1];
  long long r5 = v6.m0[-1];
  if (!(r0 == 0 && r1 == 27 && r2 == 48 && r3 == 48 && r4 == 32 && r5 == 32)) reach_error();
  return 0;
}

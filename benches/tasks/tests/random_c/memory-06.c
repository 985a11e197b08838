void reach_error(void);
struct s1 { int *m0; int *m1; };
int g2 = 82;
static int g3[2] = { 2, 94 };
int main(void) {
  struct s1 v4 = { &g2, 0 };
  v4.m1 = 0;
  long long r0 = g3[0];
  long long r1 = g3[1];
  long long r2 = g2;
  long long r3 = *v4.m0;
  long long r4 = (v4.m0 == v4.m0);
  long long r5 = *v4.m0;
  if (!(r0 == 2 && r1 == 94 && r2 == 82 && r3 == 82 && r4 == 1 && r5 == 82)) reach_error();
  return 0;
}

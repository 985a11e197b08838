void reach_error(void);
struct s1 { int *m0[2]; int *m1; int *m2; int *m3; struct s1 *m4; };
static int g2 = 41;
static int g3[2] = { 56, 37 };
int main(void) {
  int v4[2] = { 64, 38 };
  g2 = g3[1] + 7;
  long long r0 = g2;
  long long r1 = g3[0];
  long long r2 = v4[1];
  if (!(r0 == 44 && r1 == 56 && r2 == 38)) reach_error();
  return 0;
}

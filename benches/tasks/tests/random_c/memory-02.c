void reach_error(void);
struct s1 { _Bool m0; long long m1; char *m2; char *m3; };
static char g2 = 6;
static char g3[4] = "xy";
int main(void) {
  char v4[3] = { 64, 27, 85 };
  long long r0 = v4[1];
  long long r1 = v4[0];
  long long r2 = g3[3];
  if (!(r0 == 27 && r1 == 64 && r2 == 0)) reach_error();
  return 0;
}

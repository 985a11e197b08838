void reach_error(void);
struct s1 { unsigned char m0; int *m1; int m2[2]; int *m3; int m4; };
int g2 = 42;
static int g3 = 30;
static int g4[3] = { 68, 7, 55 };
int main(void) {
  int v5 = 92;
  int v6 = 58;
  long long r0 = g4[0];
  long long r1 = g4[1];
  long long r2 = g2;
  if (!(r0 == 68 && r1 == 7 && r2 == 42)) reach_error();
  return 0;
}

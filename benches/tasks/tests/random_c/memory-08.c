void reach_error(void);
typedef int (*function)(int);
struct s1 { int *m0; function m1; void *m2; int *m3; signed char m4; };
int g2 = 48;
static int f3(int x) { return 1 - x; }
static int f4(int x) { return x + 6; }
int g5[2] = { 96 };
static int sel7 = 1;
static int sel8 = 1;
int main(void) {
  int v6 = 98;
  if (sel7) {
    g2 = v6 + 1;
  }
  if (!sel7) {
    v6 = 88;
  }
  g5[1] = 35;
  g5[0] = 2;
  if (sel8) {
  }
  if (!sel8) {
  }
  long long r0 = v6;
  long long r1 = g2;
  long long r2 = g5[0];
  if (!(r0 == 98 && r1 == 99 && r2 == 2)) reach_error();
  return 0;
}

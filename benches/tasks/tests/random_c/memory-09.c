void reach_error(void);
typedef int (*function)(int);
union u1 { unsigned char *m0; unsigned char *m1[2]; function m2; };
unsigned char g2 = 77;
static unsigned char g3 = 22;
static int f4(int x) { g2 = 8; return x; }
static int f5(int x) { return 8 - x; }
unsigned char g6[4] = { [0] = 2, [1] = 0, [2] = 18, [3] = 19 };
int main(void) {
  union u1 *v7 = 0;
  long long r0 = g6[0];
  long long r1 = g6[2];
  long long r2 = g2;
  if (!(r0 == 2 && r1 == 18 && r2 == 77)) reach_error();
  return 0;
}

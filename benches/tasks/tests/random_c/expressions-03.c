void reach_error(void);
unsigned char g1 = 0;
int g2 = 1073741824;
long g3 = 135l;
static unsigned char f4(unsigned short p0) { return ((((unsigned long)g2 * g3) % 82) & (((1000000.3 + -3.6) > 103.5) && (17l | g2))); }
static long f5(unsigned p0, unsigned long long p1) { return (((p0 != g3) % 2147483648u) ? p1 : (4294967295u | (((unsigned)g1 + g2), 0))); }
int main(void) {
  unsigned long v6 = 57ul;
  int v7 = ((9223372036854775808ull && g2) ^ g1);
  unsigned long v8 = 0ul;
  v8 = ((long long)v6 == ((-32767) | v7));
  v7 = ((102.0 / 18.0) <= (-73.6 / 46.875f));
  long long r0 = v7;
  long long r1 = g3;
  long long r2 = g1;
  long long r3 = g2;
  long long r4 = (v8 ^ ((165 * g3) - ((-1073741824) ^ v8)));
  long long r5 = (-((v6 << g1) * g3));
  if (!(r0 == 0 && r1 == 135 && r2 == 0 && r3 == 1073741824 && r4 == 1073764099 && r5 == -7695)) reach_error();
  return 0;
}

void reach_error(void);
enum color { RED = 8, BLUE = 145 };
long g1 = (-9223372036854775807l - 1);
unsigned long long g2 = 1ull;
static _Bool f3(char p0) { return ((p0 | (RED && RED)) & (RED | p0)); }
static int f4(unsigned long p0, short p1) { return (RED ? ((127 ^ RED) * (p0 & 1)) : ((g1 < RED) / 99)); }
int main(void) {
  _Bool v5 = RED;
  unsigned long long v6 = 18446744073709551615ull;
  unsigned long v7 = ((v6 || g1) && (127 & g1));
  v5 = (((((-127) | v7) | g1) | (~(6000000.3f == (-81.7 * 52.25f)))) % 1073741824);
  g1 = RED;
  long long r0 = v7;
  long long r1 = RED;
  long long r2 = g2;
  long long r3 = BLUE;
  long long r4 = (!((unsigned char)g2 * 125));
  long long r5 = (~((BLUE ^ v7) ? (!RED) : (-2147483647)));
  if (!(r0 == 0 && r1 == 8 && r2 == 1 && r3 == 145 && r4 == 0 && r5 == -1)) reach_error();
  return 0;
}

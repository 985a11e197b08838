void reach_error(void);
enum color { RED = 1, BLUE = 60 };
int g1 = (-2147483647);
unsigned long g2 = 179ul;
char g3 = (-128);
static char f4(unsigned p0, unsigned long long p1) { return ((0ull / 3931937388022925676ul) ? (p0 ^ ((-72) / 1166549533989768063ull)) : ((BLUE >= p1) >> ((BLUE * 45ul) & 7))); }
static unsigned f5(unsigned p0, unsigned char p1) { return ((!p1), (((-127) * RED) + (1 ^ p0))); }
int main(void) {
  unsigned long long v6 = (-(g1 == RED));
  long v7 = (((-63ll) || 1) * (g1 / 1ul));
  v7 = (v7 + (((g2 + 4932221907490675566ul) | (RED * BLUE)) / 2147483647));
  v7 = ((((g2 >> (v7 & 7)) || (unsigned long)BLUE) / 56ul) % 18446744073709551615ull);
  g2 = v6--;
  long long r0 = BLUE;
  long long r1 = v7;
  long long r2 = v6;
  long long r3 = g1;
  long long r4 = (f4((14 / (-4611686018427387904l)), (-85ll)) < (long long)v6);
  long long r5 = (f4(g1, 1) >> (f4((g1 == v6), (g1 ^ g1)) & 7));
  if (!(r0 == 60 && r1 == 0 && r2 == -1 && r3 == -2147483647 && r4 == 0 && r5 == 0)) reach_error();
  return 0;
}

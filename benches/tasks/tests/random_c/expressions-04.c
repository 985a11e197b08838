void reach_error(void);
long g1 = (-15l);
unsigned long long g2 = 9223372036854775808ull;
unsigned long long g3 = 1ull;
unsigned long long g4 = 52ull;
static unsigned long f5(_Bool p0, unsigned long long p1) { return (g2 || (signed char)(g3 < g3)); }
int main(void) {
  _Bool v6 = ((g2 ^ g1) | g3);
  int v7 = (-2147483647 - 1);
  g3 = ((((v7 ? g2 : v6) << (16 - v6)) / 173) ? (short)f5((g4 ? 1 : g1), v6) : ((!(g3 >> v6)) == ((1 >= g3) | (unsigned short)g4)));
  g2 = (!((unsigned long long)(short)g1 >= ((-127), (unsigned)255)));
  g3 = (f5(((v7 ^ 70u) | (v6 ^ 127)), ((g3 > v7) / 1ull)) ? ((unsigned)f5(v6, 32) < (((-4611686018427387904l) * g4) | (((v7 != g3), v6), g2))) : (((0ull * g3) ? (-v6) : (g1 % g4)) + f5(f5(v6, g3), (short)189)));
  g4 = (unsigned char)((144 + v6), ((-1ul) >> (104ul ? g2 : g2)));
  long long r0 = g1;
  long long r1 = g3;
  long long r2 = g4;
  long long r3 = v6;
  long long r4 = (short)((g4 ^ g3) | sizeof(char));
  long long r5 = ((f5(g2, g3) ^ (g4 >> g2)) << (((127 >> g2) & f5(g3, g3)) & 7));
  if (!(r0 == -15 && r1 == 1 && r2 == 255 && r3 == 1 && r4 == 255 && r5 == 255)) reach_error();
  return 0;
}

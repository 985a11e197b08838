void reach_error(void);
unsigned short g1 = 65535;
unsigned g2 = 122u;
static char f3(_Bool p0) { return ((!(g1 * p0)) / 2147483648u); }
int main(void) {
  unsigned long v4 = 9223372036854775808ul;
  float v5 = 8000000.3;
  v5 = v5;
  g2 += g1;
  {
    if ((((4000000.3 - v5) < v5) != ((g2 - g2) - (g2 || 116)))) {
      v5 = (((double)(147ul / 32768) - (float)(154 > g1)) + -91.6f);
    }
  }
  long long r0 = g1;
  long long r1 = v4;
  long long r2 = g2;
  long long r3 = 198ll;
  long long r4 = (((v4 & v4) | (v4 / v4)) + ((!v4) && ((v5 + 29.5) >= v5)));
  if (!(r0 == 65535 && r1 == (-9223372036854775807LL - 1) && r2 == 65657 && r3 == 198 && r4 == -9223372036854775807LL)) reach_error();
  return 0;
}

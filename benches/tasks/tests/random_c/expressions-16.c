void reach_error(void);
double g1 = 7000000.3f;
char g2 = 127;
double g3 = 0.3;
short g4 = 16384;
int main(void) {
  short v5 = (-32767);
  unsigned long long v6 = g2;
  short v7 = ((g4 ? 128 : g4) >> ((long long)v6 & 7));
  switch (((~((-10l) | v5))) & 3) {
    case 0:
    g4 = (((sizeof(unsigned long long) ^ (g4 ? 1 : g4)) | (((float)(v7 < 1) < g1) / 2147483647)) ? (-0.4f < g3) : (((v6 && v6), (1 % 185)) ^ (((double)(89ull <= g4) <= (double)(g4 ? g4 : 0)) ? (g2 * v5) : (g2 || v6))));
    break;
    case 1:
    v5 = (double)(g2 >> (v5 & 7));
    break;
    default:
    g4 = ((v5 ^ v5) ^ (g4 % (-32767)));
  }
  v5 = (-86.9f / (8000000.3 + g1));
  g2 = ((((v6 & 18446744073709551615ull) - (g4 >> (v7 & 7))) && ((v6 >= v5) || (_Bool)g4)) + (((g2 * g2) - ((-127) % 9223372036854775807l)) - ((v5 >> (v7 & 7)) - (v7 && v7))));
  g3 = g1;
  v5 = ((unsigned)(((int)(-69ll) || (!4)) + 128) + (((v5 / 179) >> ((0u ? g2 : 127) & 7)) | ((g4 ^ v7) == (~188))));
  v6 = ((((24 ? g4 : g4) <= (g4 >> (g2 & 7))) ? (~(g2 & v5)) : ((!1ul) && (0u % 32767))) & (v7 * (v5 == (g4 >> ((-127) & 7)))));
  long long r0 = g2;
  long long r1 = g4;
  long long r2 = v7;
  long long r3 = v6;
  long long r4 = ((g4 >> ((-g4) & 7)) * ((g4 & g4) + (v6 ? g4 : v6)));
  long long r5 = (58l & (sizeof(signed char) & (v6 + g4)));
  if (!(r0 == -126 && r1 == 1 && r2 == 1 && r3 == 0 && r4 == 0 && r5 == 0)) reach_error();
  return 0;
}

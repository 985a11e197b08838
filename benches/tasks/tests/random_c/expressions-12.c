void reach_error(void);
long g1 = 50l;
signed char g2 = 127;
long long g3 = (-27ll);
unsigned long g4 = 128ul;
int main(void) {
  unsigned v5 = ((117ull & g3) * (g4 * g4));
  int v6 = ((g3 % 95u) && (unsigned char)(-9223372036854775807ll));
  _Bool v7 = (g2 < (g3 * v6));
  v6++;
  switch (((v6 <= (g1 - v5))) & 3) {
    case 0:
    {
      if ((((v6 | g4) < g3) < (unsigned long)((unsigned long)g1 * v6))) {
        g1 = ((g1 | ((127 & g1) & sizeof(int))) - ((!(v6 ^ g4)) | (int)g3));
      }
    }
    break;
    case 1:
    {
      if ((((g4 <= v7), g3) == (g1 < g1))) {
        g2 = ((((-g2) & (v7 << (108u & 7))) ^ 0ul) + (sizeof(unsigned long) ^ (g1 && ((unsigned long)g1 << 19u))));
        g4 = (g1 | (!(((-64) + v7) && (118u >> (g1 & 7)))));
      }
    }
    default:
    for (int i8 = 0; i8 < 2; i8++) {
      v5 = ((((g3 & v5) ? (long)g1 : ((unsigned long)g1 + v6)) * ((v7 ^ i8) + (g2 * 168ul))) <= (v6 ^ ((unsigned long long)(127 - v5) - (v5 | g3))));
      v7 = --v5;
    }
  }
  g3 |= ((unsigned long)(g2 ^ g1) << (g1 || (-9223372036854775807l)));
  long long r0 = g2;
  long long r1 = g3;
  long long r2 = g4;
  long long r3 = v6;
  long long r4 = (g3, ((v7 << 1u) != (g4 + v5)));
  long long r5 = ((((unsigned long)g1 * g1) * (g4 / 84l)) ? sizeof(_Bool) : (~(v5 % 166ull)));
  if (!(r0 == 127 && r1 == -27 && r2 == 128 && r3 == 2 && r4 == 1 && r5 == 1)) reach_error();
  return 0;
}

void reach_error(void);
int g1 = 192;
long long g2 = 9223372036854775807ll;
static unsigned char f3(unsigned char p0, short p1) { return (((p0 ^ 4294967295u) << ((p0 ? (-32768) : 127) & 7)) / 2147483647); }
int main(void) {
  int v4 = 143;
  char v5 = 127;
  unsigned v6 = (short)(g2 != g1);
  g1 = (~(((v5 > (-9223372036854775807ll)) << v6) | f3((g1 | g2), (-53l))));
  v5 = sizeof(short);
  v6 = v6;
  {
    if ((g2 < ((-80) | f3(v6, v5)))) {
      v6 = v6;
      g2 = (((v6 > ((-127) >> (32768 & 7))) ^ ((g1 ? g2 : 33ull) % 1073741824)) ? ((~(86 | 9223372036854775808ull)) | ((v5 ^ g2) >> (((unsigned)127 + g1) & 7))) : ((!sizeof(unsigned long long)) << ((1u == 49u) ? (((unsigned long)1 - (-9223372036854775807l - 1)), v6) : (v6 + v6))));
    }
  }
  long long r0 = v5;
  long long r1 = g1;
  long long r2 = v4;
  long long r3 = g2;
  long long r4 = ((f3(g1, v6) || (1 && (-2147483647 - 1))) & f3(((unsigned)(-128) << (g1 & 7)), (g2 ? 18446744073709551615ull : g2)));
  long long r5 = (((unsigned long long)(g2 ^ g1) << ((v4 - v6) & 7)) & ((v4 * v6) | (1 | v6)));
  if (!(r0 == 2 && r1 == -4 && r2 == 143 && r3 == 9223372036854775807LL && r4 == 1 && r5 == 128)) reach_error();
  return 0;
}

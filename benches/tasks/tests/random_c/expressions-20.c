void reach_error(void);
unsigned g1 = 1u;
unsigned char g2 = 255;
int main(void) {
  _Bool v3 = 1;
  unsigned char v4 = 0;
  unsigned char v5 = 0;
  v4 = ((((g2 & 64) ? ((v5 || 9223372036854775808ull), g2) : (-v5)) || ((g1 | g2) | (g1 | v4))) & (((g1 + g2) << (g2 & 7)) | ((g2 + g2) * sizeof(short))));
  v4 = v5;
  long long r0 = v4;
  long long r1 = g1;
  long long r2 = v5;
  long long r3 = v3;
  long long r4 = ((sizeof(long) <= (v5 << ((-9223372036854775807l - 1) & 7))) << (((v4 - v3) | (g2 >> v5)) & 7));
  long long r5 = (((g1 & (-32767)) / 1073741824) - ((70ull >> g1) ? ((-2147483647) % 127) : (g2 ? 100 : 1)));
  if (!(r0 == 0 && r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0 && r5 == 7)) reach_error();
  return 0;
}

void reach_error(void);
double g1 = 5.0;
float g2 = -93.8;
int main(void) {
  signed char v3 = 127;
  int v4 = ((v3 >> (v3 & 7)) / (v3 + v3));
  g2 = (((g2 + g1) / g2) + 6000000.3);
  v4 = (!((char)(~v3) || ((v3 & v4) >> ((v3 / 1) & 7))));
  v4 = ((unsigned)((((double)v3 > (g1 * g1)) ^ (int)v3) || ((v3 >> (v3 & 7)), (188l && v3))) - ((v4 ^ v3) >> ((~(v4 ^ v3)) & 7)));
  v3 ^= ((v3 ? v4 : v3) ^ ((-32768) >> (v4 & 7)));
  long long r0 = v3;
  long long r1 = v4;
  long long r2 = (sizeof(unsigned long long) | ((v3 % 127) | (v3 ^ 32767)));
  long long r3 = v3;
  if (!(r0 == -3 && r1 == -126 && r2 == -1 && r3 == -3)) reach_error();
  return 0;
}

void reach_error(void);
struct bits { unsigned m0 : 20; signed int m1 : 23; _Bool m2 : 1; _Bool m3 : 1; };
struct bits field;
signed char g1 = (-64);
char g2 = (-127);
unsigned short g3 = 65535;
short g4 = (-32767);
static unsigned short f5(unsigned short p0) { return ((g4 + (g2 - g2)) && ((p0 ? field.m3 : 0ul), ((-27l) / 50))); }
static unsigned long f6(signed char p0) { return (field.m2 ^ ((p0 & g1), g1)); }
int main(void) {
  _Bool v7 = (!(field.m1 >> field.m3));
  unsigned long long v8 = 178ull;
  unsigned short v9 = (char)((unsigned)g4 << (v8 & 7));
  switch (((unsigned short)(v8 + field.m2)) & 3) {
    case 0:
    {
      if (((field.m1 ^ (-9223372036854775807l)) & (146 + field.m1))) {
        v9 = sizeof(signed char);
        v7 = field.m2;
      }
      else {
        g3 += sizeof(unsigned);
      }
    }
    break;
    case 1:
    switch (((unsigned long)(g4 ? v9 : 18446744073709551615ull)) & 3) {
      case 0:
      g1 = f5(g4);
      case 1:
      v9 %= 9223372036854775808ull;
      break;
      case 2:
      g3 = (((((unsigned long)(-4611686018427387904l) << 0) != 65535) << ((signed char)field.m3 + 1)) * ((field.m3 > (-127)), (((unsigned)field.m1 << (9223372036854775808ul & 7)) - (g1 & field.m2))));
      break;
      default:
      field.m1 = v7;
    }
    break;
    case 2:
    g3 = (long long)((!(255 << (v8 & 7))) ? ((field.m0 | g3), (g4 / 1)) : (2 < (unsigned char)field.m1));
    break;
    default:
    field.m2 = (!sizeof(unsigned long long));
  }
  g3 = ((f6(g1), (unsigned short)(9223372036854775808ul || v7)) && sizeof(long));
  for (int i10 = 0; i10 < 3; i10++) {
    field.m0 = (((unsigned long long)(-127) + ((-9223372036854775807ll - 1) ^ f5((-2147483647)))) ? ((~sizeof(int)) + v9) : v9);
  }
  field.m3 = ((((v7 & field.m3) && g3) && ((unsigned long)g4 >> ((127 ^ 0) & 7))) | ((!g1) % 1073741824));
  field.m3 = ((((g3 / 1) / 191) - field.m0) * (((g2 || g3) - (9223372036854775808ull >= g4)) * ((field.m2 | g2) | (field.m0 - 1u))));
  for (unsigned i11 = 0; i11 < 1; i11++) {
    g4 = (((-(g2 % (-128))) != ((field.m3 * field.m3) / 52)) | ((-sizeof(unsigned)) ^ (field.m0 % 2147483647)));
  }
  long long r0 = v8;
  long long r1 = field.m3;
  long long r2 = field.m2;
  long long r3 = g3;
  long long r4 = ((-(unsigned)4294967295u) % 32768);
  long long r5 = (((g3 ? g4 : field.m3) != (1 ? g2 : field.m0)) | g2);
  if (!(r0 == 178 && r1 == 1 && r2 == 0 && r3 == 1 && r4 == 1 && r5 == -127)) reach_error();
  return 0;
}

void reach_error(void);
struct bits { unsigned m0 : 9; unsigned m1 : 19; unsigned m2 : 10; };
struct bits field;
int g1 = 48;
long g2 = 188l;
short g3 = (-32767);
unsigned g4 = 89u;
static unsigned long long f5(unsigned long long p0, unsigned char p1) { return ((sizeof(long long) >= ((unsigned)g3 * field.m1)) ? ((-127) >> (((unsigned)g3 * g1) & 7)) : ((1ul + g3) >> ((g4 + g1) & 7))); }
int main(void) {
  unsigned char v6 = 168;
  double v7 = -57.8;
  switch ((((95 >= g3) - (141u * g3))) & 3) {
    case 0:
    switch ((((16862344268435048252ul && g3) - (v6 / 2147483647))) & 3) {
      case 0:
      field.m2 = ((unsigned char)(-2147483647) ? f5(field.m2, field.m0) : (g4 * field.m1));
      break;
      case 1:
      field.m1 = f5((g4 - 11ul), (g3 | 80ul));
      break;
      default:
      field.m1 = (unsigned)field.m1;
    }
    break;
    case 1:
    v6 = (((field.m1 || g3) << ((((field.m0 || field.m0), field.m0) & ((-128) / 173u)) & 7)) + (((v7 * v7) < (v7 * v7)) || (g2 ? sizeof(unsigned long long) : (-4679885095966670461ll))));
    break;
    case 2:
    g4 = f5(((double)field.m2 != (v7 - 7000000.3f)), (unsigned short)((-field.m0) >= (!g4)));
    break;
    default:
    for (int i8 = 0; i8 < 1; i8++) {
      g3 = ((((80.625f - v7) <= (4000000.3f / v7)) >> (g3 & 7)) * (g4 ? ((4294967295u ^ field.m0) > field.m0) : ((g4 > 6560981083018969161ul) * ((127 - 9223372036854775807ll), 178))));
      v6 = ((((v7 - v7) > (v7 / v7)) * ((i8 == g2) >> ((unsigned char)(-56) & 7))) | (((unsigned long)g2 + ((-32767) < g1)) - f5((v6 * g4), sizeof(_Bool))));
    }
  }
  g2 = ((v7 - v7) - 1000000.3);
  for (unsigned char i9 = 0; i9 < 4; i9++) {
    for (short i10 = 0; i10 < 4; i10++) {
      v6 = (unsigned char)((~f5(v6, 134)) * ((g1 && g3) % 4294967295u));
    }
  }
  field.m0 = ((g2 - g1) != sizeof(unsigned char));
  long long r0 = v6;
  long long r1 = field.m0;
  long long r2 = g2;
  long long r3 = g3;
  long long r4 = ((((field.m1 || field.m0), field.m0) * ((-127) * field.m2)) * ((signed char)field.m2 >= (~(-127))));
  long long r5 = v6;
  if (!(r0 == 254 && r1 == 1 && r2 == -1000000 && r3 == -32767 && r4 == 0 && r5 == 254)) reach_error();
  return 0;
}

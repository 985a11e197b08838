void reach_error(void);
struct bits { unsigned m0 : 24; _Bool m1 : 1; signed int m2 : 25; _Bool m3 : 1; };
struct bits field;
enum color { RED = 6, BLUE = 59 };
unsigned short g1 = 197;
unsigned short g2 = 129;
unsigned short g3 = 65535;
int g4 = 116;
static char f5(unsigned p0) { return sizeof(unsigned short); }
static long f6(long long p0, unsigned p1) { return f5(f5((field.m3 ^ field.m0))); }
int main(void) {
  _Bool v7 = 1;
  int v8 = ((unsigned long long)(-84l) + (g2 || g2));
  g1 = ((((field.m2 - field.m0) ? (g2 - 135) : (g1 - 177ull)) / 1u) / g2);
  field.m2 <<= field.m0;
  long long r0 = BLUE;
  long long r1 = v8;
  long long r2 = field.m1;
  long long r3 = field.m0;
  long long r4 = (sizeof(long long), ((field.m3, v8) * (130l || field.m2)));
  long long r5 = ((short)(RED << (g4 & 7)) && (f5(v7) | (g2 << (g3 & 7))));
  if (!(r0 == 59 && r1 == -83 && r2 == 0 && r3 == 0 && r4 == -83 && r5 == 1)) reach_error();
  return 0;
}

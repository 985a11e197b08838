void reach_error(void);
struct bits { unsigned m0 : 20; signed int m1 : 23; _Bool m2 : 1; signed int m3 : 25; };
struct bits field;
short g1 = (-32767);
unsigned char g2 = 255;
char g3 = 127;
static short f4(unsigned char p0, _Bool p1) { return (long)g1; }
static signed char f5(long p0) { return (2147483648u + ((field.m1 % 4611686018427387904l) * field.m0)); }
int main(void) {
  unsigned long v6 = 2983970471882442662ul;
  v6 = (sizeof(int) * (g3 | field.m0));
  field.m2 = ((f5((field.m3 | 36)) & ((g2 + field.m3) >> (((-128) - g3) & 7))) | (((!1) << (f5(g2) & 7)) ? ((32768 % (-128)) / 2147483647) : field.m2));
  long long r0 = field.m1;
  long long r1 = field.m0;
  long long r2 = v6;
  long long r3 = g3;
  long long r4 = f4(((field.m1 && 2088581718160530431ul) & (field.m3 + 80)), (0ull || (field.m2 & field.m1)));
  long long r5 = ((-9223372036854775807ll - 1) & f4(v6, field.m1));
  if (!(r0 == 0 && r1 == 0 && r2 == 508 && r3 == 127 && r4 == -32767 && r5 == (-9223372036854775807LL - 1))) reach_error();
  return 0;
}

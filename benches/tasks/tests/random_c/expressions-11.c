void reach_error(void);
struct bits { unsigned m0 : 18; _Bool m1 : 1; };
struct bits field;
enum color { RED = 5, BLUE = 115 };
_Bool g1 = 1;
int g2 = (-2147483647);
static unsigned char f3(short p0, unsigned short p1) { return (BLUE >= ((field.m1 >> (p0 & 7)) | (unsigned long)1)); }
static unsigned f4(char p0) { return ((long)(_Bool)field.m1 ? (((-117) / 11ul) - (g1 & RED)) : ((g1 * field.m1) - (BLUE != field.m0))); }
int main(void) {
  unsigned long v5 = 102;
  unsigned short v6 = ((g1 + g1) ^ (BLUE | RED));
  v6 = ((((BLUE ? v5 : g2) / ((-127), RED)) ^ sizeof(unsigned long)) >> ((((-122) | (g1 % BLUE)) >> (g1 || v5)) & 7));
  v5 = (1u & (-(unsigned short)(~v5)));
  field.m1 = --g2;
  long long r0 = field.m0;
  long long r1 = RED;
  long long r2 = BLUE;
  long long r3 = field.m1;
  long long r4 = (((v5 | field.m0) ? (v6 * BLUE) : (field.m0 & g2)) ? (BLUE || (RED || field.m1)) : ((field.m1 ? g1 : g1) ^ (!field.m1)));
  long long r5 = (((63 && BLUE) * (signed char)field.m1) >> ((field.m1 | (g2 == v6)) & 7));
  if (!(r0 == 0 && r1 == 5 && r2 == 115 && r3 == 1 && r4 == 1 && r5 == 0)) reach_error();
  return 0;
}

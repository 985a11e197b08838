void reach_error(void);
struct bits { signed int m0 : 16; unsigned m1 : 21; unsigned m2 : 20; };
struct bits field;
unsigned long long g1 = 1ull;
double g2 = 5000000.3f;
int main(void) {
  long long v3 = ((field.m1 / (-2147483647 - 1)) >> (127 & 7));
  field.m2 = ((g2 - g2) < g2);
  for (int i4 = 0; i4 < 2; i4++) {
    field.m2 *= ((unsigned)g1 >> ((-143l) & 7));
  }
  for (unsigned char i5 = 0; i5 < 2; i5++) {
    g1 = sizeof(signed char);
    field.m0 = ((!g1) ^ ((unsigned)field.m1 * field.m1));
  }
  long long r0 = field.m2;
  long long r1 = field.m1;
  long long r2 = g1;
  long long r3 = v3;
  long long r4 = (((v3 ? 1ull : field.m0) || (9223372036854775807ll + g1)) & ((field.m1 < g1) | field.m0));
  long long r5 = field.m1;
  if (!(r0 == 0 && r1 == 0 && r2 == 1 && r3 == 0 && r4 == 1 && r5 == 0)) reach_error();
  return 0;
}

void reach_error(void);
struct bits { signed int m0 : 2; unsigned m1 : 20; _Bool m2 : 1; };
struct bits field;
unsigned long long g1 = 9223372036854775808ull;
char g2 = (-128);
unsigned char g3 = 255;
int main(void) {
  int v4 = ((field.m1 + g1) >> (87 & 7));
  int v5 = (-2147483647 - 1);
  g1 = ((((field.m2 % 16384), (field.m0 << ((-127) & 7))) % 47) + ((g1 * field.m0) * (v4 + g1)));
  field.m2 = ((7407866101224321867ul != (_Bool)((-32767) || g3)) | v5);
  {
    if (((field.m1 | v4) < (1 / (-2147483647 - 1)))) {
      for (int i6 = 0; i6 < 1; i6++) {
        field.m1 = ((((unsigned long long)(28ll ^ field.m1) * (field.m0 - 102)) << (((g2 & g1) ^ (i6 / 2147483647)) & 7)) > (((short)field.m1 | sizeof(int)) ? ((v5 >> 0ull) < ((-2147483647 - 1) % 1ul)) : ((!field.m0) % (-2147483647))));
        field.m2 = (((unsigned)((field.m2 || v5) ^ (field.m2 | field.m2)) - ((field.m0 / 141) < ((-44ll) / (-64)))) >= (((unsigned)(-127) * v4) + ((g2 - field.m0) + (v4 & g3))));
      }
    }
  }
  v4 = (sizeof(unsigned long long) << ((((g1 << field.m0) >= (g3 / 190)) | (g2 / 48u)) & 7));
  long long r0 = g1;
  long long r1 = field.m1;
  long long r2 = g3;
  long long r3 = v4;
  long long r4 = field.m1;
  long long r5 = (((field.m1 >> ((-79) & 7)), (v5 ? field.m2 : field.m1)) ? ((181u + field.m2) << ((g1 | field.m2) & 7)) : field.m1);
  if (!(r0 == 0 && r1 == 0 && r2 == 255 && r3 == 32 && r4 == 0 && r5 == 364)) reach_error();
  return 0;
}

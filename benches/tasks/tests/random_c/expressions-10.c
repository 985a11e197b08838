void reach_error(void);
struct bits { _Bool m0 : 1; unsigned m1 : 23; };
struct bits field;
unsigned char g1 = 0;
signed char g2 = (-127);
static unsigned long f3(int p0) { return field.m0; }
int main(void) {
  int v4 = ((g2 ? field.m1 : 119) && (127 / 65535));
  unsigned v5 = g2;
  _Bool v6 = ((113 * v4) | ((98 << g1), v4));
  v5 = (unsigned short)v5;
  v5 = --g1;
  field.m1 = (-(((field.m1 & v5) * ((-76l) && v4)) | v4));
  {
    if ((~(v6 || v4))) {
      field.m1 = sizeof(char);
      v6 = (int)((f3(field.m1) != (v4 | 16384)) | ((g1 % 19u) + (g2 + v5)));
    }
  }
  long long r0 = v4;
  long long r1 = g2;
  long long r2 = v5;
  long long r3 = v6;
  long long r4 = (f3((93 ? g2 : 1ull)) | ((190ul >= v4), (v4 >= v4)));
  long long r5 = (((v5 && 255) == (v4 && field.m1)) + ((g1 && v5) & (v6 << (g2 & 7))));
  if (!(r0 == 0 && r1 == -127 && r2 == 255 && r3 == 1 && r4 == 1 && r5 == 0)) reach_error();
  return 0;
}

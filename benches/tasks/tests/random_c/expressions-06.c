void reach_error(void);
enum color { RED = 3, BLUE = 54 };
_Bool g1 = 1;
double g2 = 7000000.3f;
long g3 = 9223372036854775807l;
int main(void) {
  signed char v4 = 127;
  g2 = (double)(RED / (-118));
  g2 = (float)(v4 - 1);
  g2 = (double)((-127) >> 0ull);
  v4 = 166ull;
  g3 = ((short)(((-32767) + g1) - (44u && g1)) % 12ull);
  for (int i5 = 0; i5 < 2; i5++) {
    v4 = ((~v4), ((unsigned)(g3 & g3) ? g3 : ((v4 & RED) || (char)RED)));
    g3 = v4--;
  }
  long long r0 = BLUE;
  long long r1 = g3;
  long long r2 = RED;
  long long r3 = g1;
  long long r4 = ((v4 && v4) * (BLUE >> (g3 & 7)));
  long long r5 = (!((RED != BLUE) >= (4294967295u ? g1 : g3)));
  if (!(r0 == 54 && r1 == 9 && r2 == 3 && r3 == 1 && r4 == 27 && r5 == 0)) reach_error();
  return 0;
}

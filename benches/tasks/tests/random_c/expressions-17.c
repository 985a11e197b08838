void reach_error(void);
unsigned g1 = 4294967295u;
signed char g2 = 76;
long long g3 = (-9223372036854775807ll);
static unsigned f4(unsigned p0, unsigned long long p1) { return g2; }
int main(void) {
  long v5 = 4611686018427387904l;
  long long v6 = 175ll;
  unsigned v7 = (((-127) == g3) >> (2147483647 & 7));
  {
    if (((g1 * v7) - (short)190)) {
      {
        if ((((-51ll) >> ((v6 ^ (-26)) & 7)) <= ((161 & g3) > (65535 >> (67 & 7))))) {
          g1 = (((!(_Bool)1u) * (f4(g2, 163) ? (g2 % g2) : g2)) >= ((((unsigned long long)g3 * (-9223372036854775807l)) & (v5 != v5)) - ((g3 | v5) & 63u)));
          g1 = (((unsigned long)((g2 & v5) | f4(184, g3)) << (((127 >> (2147483647 & 7)) - (g1 % 127)) & 7)) + ((-(g2 != 9223372036854775807ll)) >> (143l & 7)));
        }
      }
      {
        if (((v7 & g1) | (193l > g2))) {
          g2 = f4((((v7 ? v6 : g2) + sizeof(long)) <= ((unsigned long)(-v5) << (f4(g3, g1) & 7))), g3);
        }
      }
    }
  }
  v5 = (-(unsigned short)(short)(v5 && 66ull));
  {
    if (128) {
      switch ((v7 ? ((unsigned)g2 << (v5 & 7)) : (_Bool)1)) {
        case 0:
        v5 = f4((v7 << (((v5 || v5) << (f4(v5, v6) & 7)) & 7)), g3);
        case 1:
        g2 = ((unsigned long long)g3 << (((unsigned)(((-2147483647 - 1) - (-22)) / (-2147483647)) << (((v7 * 64) >> (139 & 7)) & 7)) & 7));
        break;
        case 2:
        v5 = (9223372036854775807ll ^ (((g3 == g3) == v5) == (f4(v6, (-9223372036854775807l - 1)) * ((unsigned long)v5 * g1))));
        default:
        v7 = (((unsigned char)(g1 % 64) + ((!g2) / (-153ll))) || ((unsigned long)(g1 ? v6 : (-2147483647)) ? g2 : f4((unsigned char)g3, (g1 ? v7 : v6))));
      }
      v6 = ((-127) | (192ull ? ((v7 - g2) >> (v6 || v7)) : (g2 ? (v6, 4294967295u) : (g2 + g2))));
    }
    else {
      g1 = (f4((18446744073709551615ul > (g2 + 127)), ((-g1) || (g1 ^ g3))) % (-9223372036854775807ll));
    }
  }
  for (unsigned i8 = 0; i8 < 4; i8++) {
    v7 = sizeof(signed char);
    v5 = (((v7 ^ (-73ll)) | ((i8 & v6) * (int)255)) != (1 || ((v6 && i8) ? ((unsigned long long)v6 << i8) : (i8 << (g2 & 7)))));
  }
  v6 = (_Bool)(((g1 ? g1 : g2) & ((unsigned long)v5 << (g3 & 7))) >> (((unsigned long long)109 & ((-32768) ? g1 : 65535)) & 7));
  long long r0 = v5;
  long long r1 = v6;
  long long r2 = g3;
  long long r3 = g1;
  long long r4 = (v7 - (sizeof(unsigned long) | (g2 ^ (-9223372036854775807l))));
  long long r5 = (((unsigned short)v5 | ((-1073741824) ^ g1)) ^ (sizeof(int) ? (short)g3 : (g1 % g3)));
  if (!(r0 == 1 && r1 == 1 && r2 == -9223372036854775807LL && r3 == 75 && r4 == 9223372036854775801LL && r5 == 3221225546LL)) reach_error();
  return 0;
}

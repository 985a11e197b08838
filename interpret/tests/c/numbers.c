//# checksum: 1447667423
// Promotions, conversions, wrap-around, shifts, and floating-point numbers.
unsigned check = 5;
static void mix(unsigned long long value) { check = check * 33u + (unsigned)(value ^ value >> 32); }
int main(void) {
  signed char c = (signed char)200;
  unsigned char d = 200;
  short s = (short)70000;
  unsigned u = 3000000000u;
  long long big = -5000000000LL;
  unsigned long long wide = 0x8000000000000001ULL;
  int i;
  mix((unsigned)(c * d));
  mix((unsigned)(s >> 2));
  mix(u * u);
  mix(u + c);
  mix((unsigned long long)(big / 7));
  mix((unsigned long long)(big % 7));
  mix(wide >> 3);
  mix(wide * 3u);
  mix((unsigned long long)(c < u));
  mix((unsigned long long)(-1 < (int)d));
  mix((unsigned char)(d << 1));
  for (i = 1; i < 40; i += 3) { mix(wide >> i); mix((unsigned)(1 << (i % 31))); mix((unsigned)(-1000 / i)); mix((unsigned)(-1000 % i)); }
  double x = 0.1, y = 3.0;
  float f = 0.1f;
  for (i = 0; i < 10; i++) { x = x * y - 0.3; f = (float)(f * 1.5 + x); }
  mix((unsigned)(int)(x * 1000));
  mix((unsigned)(int)(f * 1000));
  mix(f < x);
  mix((unsigned long long)(long long)-2.75);
  mix((unsigned)(x == x));
  return (int)(check & 127);
}

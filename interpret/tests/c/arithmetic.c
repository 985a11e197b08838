//# checksum: 3070574799
// What both encodings of integers have to compute alike: wrap-around, narrow types, divisions, bit-fields and bytes.
union word {
  struct { unsigned a : 3; int b : 7; unsigned c : 14; } s;
  unsigned char bytes[4];
  unsigned whole;
};
struct pair { short first; signed char small; unsigned flag : 1; int wide : 20; };
unsigned check = 9;
static void mix(unsigned value) { check = check * 1664525u + value; }
static struct pair next(struct pair p, int by) {
  p.first = (short)(p.first * by);
  p.small = (signed char)(p.small + by);
  p.flag = p.flag + 1u;
  p.wide = p.wide * 2 - by;
  return p;
}
static long long power(long long base, unsigned n) { return n == 0 ? 1 : base * power(base, n - 1); }
int main(void) {
  struct pair p = {1000, 100, 1, 70000}, *q = &p;
  union word w;
  int i;
  unsigned char narrow = 250;
  unsigned short ring[5] = {65535, 1, 40000};
  w.whole = 4000000000u;
  for (i = 1; i <= 12; i++) {
    p = next(p, i);
    mix((unsigned)q->first);
    mix((unsigned)q->small);
    mix(q->flag);
    mix((unsigned)q->wide);
    narrow += 3;
    mix(narrow);
    ring[i % 5] += (unsigned short)(ring[(i + 1) % 5] * 3);
    mix(ring[i % 5]);
    w.s.b = i - 40;
    w.s.a = (unsigned)i % 8u;
    w.bytes[2] = (unsigned char)(w.whole % 1000u);
    mix(w.whole);
    mix((unsigned)w.s.b);
    mix(w.s.c);
    mix((unsigned)(-1000 / i) + (unsigned)(-1000 % i));
    mix((unsigned)(power(-3, (unsigned)i) % 1000));
    mix(1u - (unsigned)i);
    mix((unsigned)((unsigned)i - 5u > 3u) + (unsigned)(i - 5 > 3));
    mix((unsigned)(long long)(int)(3000000000u + (unsigned)i));
  }
  return (int)(check % 128u);
}

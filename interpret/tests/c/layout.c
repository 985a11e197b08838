//# checksum: 464709032
// Bit-fields, unions and structures whose parts are also read as bytes.
union word {
  struct { unsigned a : 3; int b : 7; unsigned c : 14; } s;
  unsigned char bytes[4];
  unsigned whole;
};
struct pair { short first; union word second; unsigned char last[3]; };
unsigned check = 17;
static void mix(unsigned value) { check = check * 31u + value; }
static unsigned second_byte(unsigned p) { unsigned char *q = (unsigned char *)&p; return q[1]; }
static int of_word(union word w) { w.s.b = -5; return w.s.b + (int)w.bytes[1]; }
static union word made(unsigned n) { union word w; w.whole = n; w.s.c = n * 3u; return w; }
int main(void) {
  union word w;
  int i;
  w.whole = 0xffffffffu;
  w.s.a = 2;
  w.s.b = -33;
  w.s.c = 0x2abc;
  mix(w.whole);
  for (i = 0; i < 4; i++) mix(w.bytes[i]);
  w.bytes[1] = 0x5a;
  mix(w.s.a);
  mix((unsigned)w.s.b);
  mix(w.s.c);
  mix(second_byte(0x12345678));
  mix((unsigned)of_word(w));
  mix(w.whole);
  w = made(77);
  mix(w.whole);
  struct pair p = {-3, {{1, -2, 3}}, {4, 5, 6}}, q;
  q = p;
  q.second.bytes[0] ^= 0xff;
  struct pair *r = &q;
  r->last[2] += p.last[1];
  mix((unsigned)r->first);
  mix(r->second.whole & 0xffffff);
  mix(r->last[2]);
  mix(sizeof(struct pair));
  return (int)(check & 127);
}

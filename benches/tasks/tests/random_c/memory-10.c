void reach_error(void);
typedef unsigned long size_t;
void *memcpy(void *restrict, const void *restrict, unsigned long);
struct s1 { int *m0; int m1[3]; char m2[5]; int m3[3]; };
int g2 = 2;
static int g3[3] = { 46, 46, 17 };
static void copy6(void *a, const void *b, size_t n) {
  unsigned char *to = (unsigned char *)a;
  const unsigned char *from = (const unsigned char *)b;
  size_t left = n;
  while (left-- > 0) *to++ = *from++;
}
int main(void) {
  int *v4 = &g2;
  int *v5[4] = { [0] = v4, [1] = v4, [2] = v4, [3] = v4 };
  copy6(&v4, &v5[1], sizeof(int *));
  v5[1] = v5[3];
  *v5[1] = 16;
  struct s1 v7 = { v5[0], { 45 }, { [0] = 88, [1] = 67, [2] = 15, [3] = 24, [4] = 92 }, { [0] = 29, [1] = 13, [2] = 86 } };
  int *v8[4];
  {
    long raw[sizeof v8 / sizeof(long)];
    {
    long *to = (long *)raw;
    const long *from = (const long *)v5;
    for (size_t i = 0; i < sizeof v8 / sizeof(long); i++) to[i] = from[i];
    }
    memcpy(v8, raw, sizeof v8);
  }
  *v8[3] = 4;
  v5[3] = v8[1];
  long long r0 = g3[0];
  long long r1 = v7.m3[2];
  long long r2 = v7.m1[0];
  long long r3 = (v5[1] == v8[3]);
  long long r4 = *v7.m0;
  long long r5 = *v5[3];
  if (!(r0 == 46 && r1 == 86 && r2 == 45 && r3 == 1 && r4 == 4 && r5 == 4)) reach_error();
  return 0;
}

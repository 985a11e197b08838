void reach_error(void);
typedef unsigned long size_t;
typedef int (*function)(int);
void *memcpy(void *restrict, const void *restrict, unsigned long);
void *memmove(void *, const void *, unsigned long);
struct s1 { short **m0; function m1; unsigned short m2; short *m3[2]; short *m4; };
static short g2 = 62;
short g3 = 15;
static int f4(int x) { return 8 - x; }
static int f5(int x) { g2 = 7; return x; }
static short g6[2] = { [0] = 44, [1] = 10 };
int main(void) {
  struct s1 v7[2] = { { 0, f5, 8, { &g3, &g3 }, &g3 }, { 0, f5, 16, { [0] = &g2, [1] = &g3 }, &g3 } };
  { size_t part = 4; memmove(v7[1].m3, v7[0].m3, part); memmove((char *)v7[1].m3 + part, (const char *)v7[0].m3 + part, sizeof v7[0].m3 - part); }
  struct s1 v8[2];
  { size_t part = 4; memcpy(v8, v7, part); memcpy((char *)v8 + part, (const char *)v7 + part, sizeof v7 - part); }
  v8[0].m1 = v7[1].m1;
  long long r0 = v7[1].m2;
  long long r1 = g6[0];
  long long r2 = g3;
  long long r3 = *v7[0].m3[1];
  long long r4 = (v7[1].m3[0] == v7[0].m3[1]);
  long long r5 = *v7[1].m4;
  if (!(r0 == 16 && r1 == 44 && r2 == 15 && r3 == 15 && r4 == 1 && r5 == 15)) reach_error();
  return 0;
}

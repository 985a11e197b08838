void reach_error(void);
void *memcpy(void *restrict, const void *restrict, unsigned long);
struct s1 { struct s1 *m0; int *m1; int m2; int m3; };
static int g2 = 72;
static int f3(int x) { return x + 1; }
int g4[4] = { 39, 71, 80, 97 };
struct s1 g5 = { .m0 = 0, .m2 = 31 };
int main(void) {
  struct s1 v6 = { &g5, &g2, 20, 4 };
  struct s1 v7 = { v6.m0, v6.m1, 70, 43 };
  memcpy(&v6.m1, &(struct { int * it; }){ v7.m0->m1 }, sizeof(int *));
  long long r0 = g4[1];
  long long r1 = v7.m3;
  long long r2 = g2;
  long long r3 = (v7.m0 != 0);
  long long r4 = v6.m0->m2;
  long long r5 = v7.m0->m3;
  if (!(r0 == 71 && r1 == 43 && r2 == 72 && r3 == 1 && r4 == 31 && r5 == 0)) reach_error();
  return 0;
}

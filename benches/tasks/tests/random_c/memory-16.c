void reach_error(void);
typedef unsigned long size_t;
void *memcpy(void *restrict, const void *restrict, unsigned long);
void *memmove(void *, const void *, unsigned long);
struct s1 { int *m0; int *m1[2]; };
int g2 = 10;
static int g3[4] = { 1, 74, 88, 37 };
struct s1 g4 = { .m1 = { &g2, &g3[0] } };
static void copy8(void *a, const void *b, size_t n) {
  memcpy(a, b, n);
}
static void copy9(void *a, const void *b, size_t n) {
  memmove(a, b, n);
}
static struct { int id; void (*copy)(void *, const void *, size_t); } table10[2] = { { 1, copy8 }, { 2, copy9 } };
static void copy13(void *a, const void *b, size_t n) {
  memcpy(a, b, n);
}
static void copy14(void *a, const void *b, size_t n) {
  memcpy(a, b, n);
}
static struct { int id; void (*copy)(void *, const void *, size_t); } table15[2] = { { 1, copy13 }, { 2, copy14 } };
int main(void) {
  struct s1 v5[2] = { { g4.m1[0], { [0] = &g3[0], [1] = &g4.m1[1][2] } }, { .m0 = &g4.m1[1][2] } };
  int v6[4] = { 19, 97, 55, 83 };
  int *v7;
  table10[0].copy(&v7, &v5[1].m1[0], sizeof(int *));
  struct s1 v11 = { .m0 = g4.m1[1] };
  struct s1 *v12 = &v5[1];
  table15[1].copy(&v12[-1].m0, &v11.m1[1], sizeof(int *));
  static int *v16 = &g3[2];
  long long r0 = v6[2];
  long long r1 = v6[1];
  long long r2 = g2;
  long long r3 = (v12[-1].m1[1] == g4.m1[0]);
  long long r4 = *g4.m1[0];
  long long r5 = v11.m0[2];
  if (!(r0 == 55 && r1 == 97 && r2 == 10 && r3 == 0 && r4 == 10 && r5 == 88)) reach_error();
  return 0;
}

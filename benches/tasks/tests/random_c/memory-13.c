void reach_error(void);
struct s1 { unsigned m0; int *m1; void *m2; struct s1 *m3; };
int g2 = 42;
static int g3[4] = { 65, 14, 85, 67 };
struct s1 g4 = { 71, &g2, &g3[0], 0 };
void *g5 = &g4.m0;
static void args7(int * *to, int n, ...) {
  __builtin_va_list ap;
  __builtin_va_start(ap, n);
  while (n-- > 0) *to = __builtin_va_arg(ap, int *);
  __builtin_va_end(ap);
}
int main(void) {
  int *v6[4] = { [0] = g4.m1, [1] = (int *)g4.m2, [2] = &((int *)g4.m2)[1], [3] = (int *)g4.m2 };
  args7(&g4.m1, 2, v6[1], v6[1]);
  {
    int *to = (int *)&v6[1];
    const int *from = (const int *)&v6[0];
    const int *end = from + sizeof(int *) / sizeof(int);
    do *to++ = *from++; while (from != end);
  }
  *v6[1] = 2;
  long long r0 = g4.m0;
  long long r1 = g3[1];
  long long r2 = g2;
  long long r3 = v6[3][1];
  long long r4 = (v6[2] != 0);
  long long r5 = (v6[1] == &v6[2][2]);
  if (!(r0 == 71 && r1 == 14 && r2 == 2 && r3 == 14 && r4 == 1 && r5 == 0)) reach_error();
  return 0;
}

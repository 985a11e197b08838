void reach_error(void);
void *malloc(unsigned long);
void free(void *);
union u1 { int *m0; void *m1; int m2[2]; };
static int g2 = 75;
static int g3[2] = { 78 };
static int g4[4] = { 81, 30, 43, 46 };
static union u1 g5 = { .m2 = { 54, 50 } };
int main(void) {
  int **v6 = 0;
  g4[1] = 36;
  int **v7;
  {
    int ** *box = malloc(sizeof *box);
    *box = v6;
    v7 = *box;
    free(box);
  }
  long long r0 = g4[2];
  long long r1 = g3[0];
  long long r2 = g5.m2[1];
  if (!(r0 == 43 && r1 == 78 && r2 == 50)) reach_error();
  return 0;
}

void reach_error(void);
void *malloc(unsigned long);
void free(void *);
struct s1 { int *m0; int m1; int *m2; int *m3[2]; int m4; };
union u2 { int *m0; int m1; int *m2; };
static int g3 = 0;
static int g4 = 65;
int g5[3] = { 79, 44, 33 };
struct s1 g6;
struct s1 g7;
int main(void) {
  union u2 *v8 = 0;
  {
    int * *box = malloc(sizeof *box);
    *box = g6.m0;
    g7.m3[0] = *box;
    free(box);
  }
  long long r0 = g5[0];
  long long r1 = g7.m1;
  long long r2 = g6.m1;
  if (!(r0 == 79 && r1 == 0 && r2 == 0)) reach_error();
  return 0;
}

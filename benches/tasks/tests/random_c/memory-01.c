void reach_error(void);
typedef int (*function)(int);
void *memmove(void *, const void *, unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
struct s1 { int m0[2]; int *m1; };
static int g2 = 19;
static int g3 = 95;
static int f4(int x) { return 1 - x; }
int g5[2] = { 31 };
static function g6 = f4;
int main(void) {
  struct s1 v7 = { { 77, 85 }, &g3 };
  int *v8[4] = { [0] = v7.m1, [1] = v7.m1, [2] = v7.m1, [3] = v7.m1 };
  v8[3] = v7.m1;
  int *v9;
  {
    int * *box = calloc(3, sizeof(int *));
    box[1] = v8[2];
    memmove(box, box + 1, 2 * sizeof(int *));
    v9 = *box;
    free(box);
  }
  g5[1] = 78;
  long long r0 = g5[0];
  long long r1 = v7.m0[1];
  long long r2 = g3;
  long long r3 = (v7.m1 == v7.m1);
  long long r4 = *v7.m1;
  long long r5 = (v8[2] == v9);
  if (!(r0 == 31 && r1 == 85 && r2 == 95 && r3 == 1 && r4 == 95 && r5 == 1)) reach_error();
  return 0;
}

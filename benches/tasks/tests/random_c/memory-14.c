void reach_error(void);
typedef int (*function)(int);
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
struct s1 { char *m0; function m1; char m2; signed char m3; char *m4; };
char g2 = 26;
char g3 = 4;
static int f4(int x) { return 4 - x; }
static int f5(int x) { return x + 1; }
static char g6[4] = { 83, 92, 68, 94 };
struct s1 g7 = { &g6[1], f5, 48, 2, &g6[3] };
struct s1 *g8 = &g7;
union u10 { char *whole; struct { long w[sizeof(char *) / sizeof(long)]; } words; };
int main(void) {
  char v9[4] = "abc";
  {
    union u10 a, b;
    a.whole = g8->m0;
    b.words = a.words;
    g8->m4 = b.whole;
  }
  {
    char * *box = malloc(sizeof(char *));
    *box = g8->m0;
    box = realloc(box, 3 * sizeof(char *));
    box[2] = box[0];
    g8->m4 = box[2];
    free(box);
  }
  g8->m4[-1] = 92;
  long long r0 = v9[1];
  long long r1 = v9[2];
  long long r2 = v9[3];
  long long r3 = *g7.m4;
  long long r4 = *g8->m0;
  long long r5 = *g8->m0;
  if (!(r0 == 98 && r1 == 99 && r2 == 0 && r3 == 92 && r4 == 92 && r5 == 92)) reach_error();
  return 0;
}

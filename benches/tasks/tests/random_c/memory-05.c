void reach_error(void);
struct s1 { char *m0; char m1; };
static char g2 = 3;
char g3 = 67;
char g4[4] = "abc";
static struct s1 g5;
static char **g6;
union u9 { char *whole; struct { long w[sizeof(char *) / sizeof(long)]; } words; };
int main(void) {
  void *v7 = &g4[1];
  char *v8;
  {
    union u9 a, b;
    a.whole = g5.m0;
    b.words = a.words;
    v8 = b.whole;
  }
  long long r0 = g4[0];
  long long r1 = g2;
  long long r2 = g5.m1;
  long long r3 = (v7 == (char *)v7);
  long long r4 = ((char *)v7)[1];
  long long r5 = *(char *)v7;
  if (!(r0 == 97 && r1 == 3 && r2 == 0 && r3 == 1 && r4 == 99 && r5 == 98)) reach_error();
  return 0;
}

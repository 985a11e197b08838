void reach_error(void);
void *memcpy(void *restrict, const void *restrict, unsigned long);
struct s1 { struct s1 *m0; int *m1[2]; int m2; int *m3; int m4; };
static int g2 = 12;
static int g3[2] = { 21 };
int main(void) {
  struct s1 v4[3] = { { 0, { &g2, &g2 }, 46, 0, 80 }, { 0, { &g2, &g2 }, 88, &g3[0], 99 }, { 0, { &g3[0], &g3[1] }, 61, &g2, 68 } };
  {
    char raw[sizeof(struct s1) / sizeof(char)];
    memcpy(raw, &v4[0], sizeof(struct s1));
    memcpy(&v4[1], raw, sizeof(struct s1));
  }
  *v4[1].m1[0] = 82;
  v4[0].m3 = v4[2].m3;
  long long r0 = g3[1];
  long long r1 = g3[0];
  long long r2 = v4[0].m4;
  long long r3 = v4[2].m1[0][1];
  long long r4 = (v4[2].m1[0] == v4[0].m1[0]);
  long long r5 = (v4[0].m3 == v4[0].m3);
  if (!(r0 == 0 && r1 == 21 && r2 == 80 && r3 == 0 && r4 == 0 && r5 == 1)) reach_error();
  return 0;
}

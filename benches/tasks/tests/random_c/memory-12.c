void reach_error(void);
typedef unsigned long size_t;
void *memcpy(void *restrict, const void *restrict, unsigned long);
struct s1 { short **m0; short m1; char m2[5]; short *m3; };
struct s2 { short m0; short *m1; short *m2; };
static short g3 = 55;
short g4[3] = { 9, 45, 84 };
int main(void) {
  struct s2 v5 = { 85, 0, &g4[0] };
  struct s1 v6 = { 0, 95, { 15, 87, 96 }, v5.m2 };
  struct s2 v7;
  { size_t part = 4; memcpy(&v7, &v5, part); memcpy((char *)&v7 + part, (const char *)&v5 + part, sizeof(struct s2) - part); }
  *v7.m2 = 19;
  long long r0 = v6.m1;
  long long r1 = g4[0];
  long long r2 = v5.m0;
  long long r3 = (v7.m2 == &v5.m2[1]);
  long long r4 = (v6.m3 == v5.m2);
  long long r5 = *v5.m2;
  if (!(r0 == 95 && r1 == 19 && r2 == 85 && r3 == 0 && r4 == 1 && r5 == 19)) reach_error();
  return 0;
}

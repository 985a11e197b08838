//# expect: unsafe
//# flags: --int-encoding bits expect: unsafe
// Memory is one object whatever types see it: characters of it are written also where a structure has its second member.
extern void reach_error(void);
void *malloc(unsigned long);

struct s { char a[12]; int b; };

int main(void) {
  int i = 1;
  void *memory = malloc(sizeof(struct s));
  struct s *s = memory;
  s->a[i] = 1;
  s->b = 0;
  char *p = memory;
  p[12] = 1;
  if (s->b == 1) reach_error(); // FAILS
  return 0;
}

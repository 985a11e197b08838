//# expect: unsafe
//# flags: --int-encoding bits expect: unsafe
// Before there were flexible array members, arrays of one element took their place: elements are told apart.
extern void reach_error(void);
void *malloc(unsigned long);

struct s { int n; int a[1]; };

int main(void) {
  int i = 1;
  struct s *p = malloc(sizeof(struct s) + 8);
  p->a[0] = 0;
  p->a[i] = 5;
  if (p->a[0] == 0) reach_error(); // FAILS
  return 0;
}

//# expect: safe
//# flags: --property assertions

// An array in a structure that is not the program's is not left.
#include <assert.h>
struct s { char text[4]; int number; };
extern struct s *given(void);
extern int count(void);
int main(void) {
  struct s *p = given();
  int last = count();
  if (!p || last < 0 || last > 4) return 0;
  p->number = 0;
  for (int i = 0; i < last; i++)
    p->text[i] = 1;
  assert(p->number == 0);
  return 0;
}

//# expect: unsafe
// What is written through a pointer to a member of one structure or another one is seen in the right one.
#include <assert.h>

struct link { struct link *next; int mark; };
struct first { int numbers[2]; struct link link; int behind; };
struct second { int before; struct link link; int numbers[3]; int behind; };

int nondet(void);

int main(void) {
  struct first a = { { 1, 2 }, { 0, 3 }, 4 };
  struct second b = { 5, { 0, 6 }, { 7, 8, 9 }, 10 };
  struct link *p = nondet() ? &a.link : &b.link;
  p->mark = 0;
  assert(a.numbers[1] == 2 && a.behind == 4 && b.before == 5 && b.numbers[0] == 7 && b.behind == 10);
  assert(a.link.mark == 0 || b.link.mark == 0);
  assert(a.link.mark == 0); // FAILS
  return 0;
}

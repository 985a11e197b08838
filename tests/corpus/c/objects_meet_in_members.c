//# expect: safe
// One pointer leads to members of different structures at different distances from their starts: what lies around them is
// set, copied and zeroed as part of each structure.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct link { struct link *next; };
struct first { int numbers[2]; struct link link; int behind; };
struct second { int before; struct link link; int numbers[3]; int behind; };

struct link head;

int nondet(void);

int main(void) {
  struct first a;
  struct second b, *c = calloc(1, sizeof *c);
  if (!c) return 0;
  int i = nondet();
  if (i < 0 || i > 2) return 0;
  a.link.next = &b.link;
  b.link.next = &c->link;
  c->link.next = &head;
  head.next = &a.link;
  assert(c->before == 0 && c->numbers[i] == 0 && c->behind == 0);
  a.numbers[0] = 1;
  a.numbers[1] = 2;
  a.behind = 3;
  b.before = 4;
  b.numbers[i] = 5;
  b.behind = 6;
  memcpy(c, &b, sizeof b);
  assert(c->before == 4 && c->numbers[i] == 5 && c->behind == 6 && c->link.next == &c->link);
  memset(a.numbers, 0, sizeof a.numbers);
  assert(a.numbers[0] == 0 && a.numbers[1] == 0 && a.link.next == &b.link && a.behind == 3);
  struct second d = b, *p = &d;
  memset(p, 0, sizeof *p);
  assert(d.before == 0 && d.numbers[i] == 0 && d.behind == 0 && !d.link.next);
  assert(b.before == 4 && b.numbers[i] == 5 && b.behind == 6);
  memcpy(b.numbers, a.numbers, sizeof a.numbers);
  assert(b.behind == 6 && b.before == 4 && b.link.next == &c->link);
  struct link *at = head.next;
  at = at->next;
  assert(at == &b.link);
  at->next = &head;
  assert(b.link.next == &head && b.before == 4 && a.link.next == &b.link);
  return 0;
}

//# expect: unsafe
// Pointers that travel as bytes, whole or one by one: what is written through a copy is seen in the object.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

struct S { int *p; int k; };
struct N { struct N *next; int v; };

void by_memcpy(void) {
  int y = 2;
  int *a[2] = {0, &y};
  int *b[2];
  void *d = b, *s = a;
  memcpy(d, s, sizeof b);
  *b[1] = 9;
  assert(y == 9);
  assert(y == 2); // FAILS
}
void by_bytes(void) {
  int y = 2;
  struct S a = {&y, 1};
  struct S b;
  char *d = (char *)&b, *s = (char *)&a;
  for (unsigned i = 0; i < sizeof b; i++) d[i] = s[i];
  *b.p = 9;
  assert(y == 9);
  assert(y == 2); // FAILS
}
void by_words(void) {
  int x = 1;
  int *p = &x;
  int *q;
  short *a = (short *)&p, *b = (short *)&q;
  for (unsigned i = 0; i < sizeof p / 2; i++) b[i] = a[i];
  *q = 5;
  assert(x == 5);
  assert(x == 1); // FAILS
}
void through_a_buffer(void) {
  int x = 1;
  int *p = &x;
  char *buffer = malloc(sizeof p);
  memcpy(buffer, &p, sizeof p);
  int *q;
  memcpy(&q, buffer, sizeof q);
  *q = 5;
  assert(x == 5);
  assert(x == 1); // FAILS
}
void structures(void) {
  struct N x = {0, 1}, y = {&x, 2}, z = {&y, 3};
  void *p = &z;
  const void *q = &y;
  memmove(p, q, sizeof z);
  z.next->v = 7;
  assert(x.v == 7 && y.v == 2);
  assert(x.v == 1); // FAILS
}

int main(void) {
  switch (__VERIFIER_nondet_int()) {
  case 0: by_memcpy(); break;
  case 1: by_bytes(); break;
  case 2: by_words(); break;
  case 3: through_a_buffer(); break;
  case 4: structures(); break;
  }
  return 0;
}

//# expect: safe
#include <assert.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct pair { int number; char *text; };

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 2) return 0;
  struct pair from[2], to[2];
  for (int i = 0; i < 2; i++) { from[i].number = i; from[i].text = 0; to[i].number = 7; }
  memcpy(to, from, n * sizeof *from);
  if (n == 2) assert(to[1].number == 1 && to[1].text == 0);
  if (n == 0) assert(to[0].number == 7);
  return 0;
}

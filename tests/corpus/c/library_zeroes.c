//# expect: unsafe
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
extern int elsewhere;

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  int *zeroes = calloc(n, sizeof *zeroes);
  assert(zeroes[n - 1] == 0);
  zeroes[0] = 1;
  assert(zeroes[n / 2] == (n == 1));
  struct node *node = calloc(1, sizeof *node);
  assert(node->value == 0 && node->next == 0);
  // What is allocated otherwise, or not the program's, may contain anything.
  int *mixed = n == 1 ? calloc(1, sizeof *mixed) : malloc(sizeof *mixed);
  assert(n != 1 || *mixed == 0);
  int *other = n == 2 ? &elsewhere : calloc(1, sizeof *other);
  assert(*mixed == 0); // FAILS
  assert(*other == 0); // FAILS
  return 0;
}

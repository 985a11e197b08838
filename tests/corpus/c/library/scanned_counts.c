//# expect: safe
// A character always fits, and so does a word after white space: there is one, or no input.
#include <assert.h>
#include <stdio.h>
int main(void) {
  char c, word[4];
  assert(scanf("%c", &c) != 0);
  assert(scanf(" %3s", word) != 0);
  int x, count = scanf("%d", &x);
  assert(count == EOF || count == 0 || count == 1);
  return 0;
}

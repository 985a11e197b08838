//# expect: safe
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int c = __VERIFIER_nondet_uchar();
  if (isdigit(c)) assert(c >= '0' && c <= '9' && isalnum(c) && !isalpha(c));
  if (isupper(c)) assert(tolower(c) == c + 32 && islower(tolower(c)));
  assert(!isalpha(c) || toupper(c) == toupper(tolower(c)));
  assert(abs(c - 128) <= 128);
  assert(rand() >= 0);
  div_t parts = div(17, 5);
  assert(parts.quot == 3 && parts.rem == 2);
  assert(atoi(" -12x") == -12);
  return 0;
}

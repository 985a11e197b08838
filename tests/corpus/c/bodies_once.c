//# expect: unsafe
//# flags: --calls once
//# flags: --calls once --int-encoding bits --engine bits-bmc
//# flags: --calls inline --int-encoding bits --engine bits-bmc
// Functions whose bodies are in the model once, each with the place to return to (F-SOFT's way): calls within calls, and a
// library function, which has a copy for each call.
#include <assert.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static int most;

static int larger(int a, int b) { return a > b ? a : b; }

static int of_three(int a, int b, int c) { return larger(larger(a, b), c); }

static void note(int value) { most = of_three(most, value, 0); }

int main(void)
{
  char text[3];
  strcpy(text, "no");
  note(__VERIFIER_nondet_uchar());
  assert(most >= 0);
  int before = most;
  note(__VERIFIER_nondet_uchar());
  assert(most >= before && strlen(text) == 2);
  assert(of_three(1, 3, 2) == 3);
  assert(most != 77); // FAILS
  return 0;
}

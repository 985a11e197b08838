//# expect: safe
// switch with fall-through, goto, do, break, continue, comma, short circuit.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int count;
static int touch(int value) { count++; return value; }

static int classify(int n) {
  int result = 0;
  switch (n) {
    case 1: result += 1;
    case 2: result += 10; break;
    default: result = 100;
    case 3: result += 1000;
  }
  return result;
}

int main(void) {
  assert(classify(1) == 11);
  assert(classify(2) == 10);
  assert(classify(3) == 1000);
  assert(classify(7) == 1100);
  if (touch(0) && touch(1)) return 1;
  assert(count == 1);
  if (touch(1) || touch(1)) count += 10;
  assert(count == 12);
  int i = 0, sum = 0;
  do {
    i++;
    if (i == 3) continue;
    if (i == 6) break;
    sum += i;
  } while (i < 10);
  assert(sum == 1 + 2 + 4 + 5);
  int x = (i = 5, i + 1);
  assert(x == 6);
  int n = 0;
again:
  n++;
  if (n < 3) goto again;
  assert(n == 3);
  int t = __VERIFIER_nondet_int() ? 4 : 5;
  assert(t == 4 || t == 5);
  return 0;
}

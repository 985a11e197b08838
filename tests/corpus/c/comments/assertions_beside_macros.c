//# expect: unsafe
// Assertions in comments beside macros, over several lines, and in parts that are left out.
#include <assert.h>
#define LIMIT 5
#define STEP(x) x += 1;
extern int input(void);
int main(void) {
  int x = input(); //@ assert x <= x;
  if (x < 0 || x > LIMIT) return 0;
  /*@ assert 0 <= x
        && x <= 5; */ x = x + LIMIT;
#if 0
  //@ assert x == 77;
#endif
  STEP(x) //@ assert x >= 6;
  /*@ assert x != 11; */ // FAILS
  return x;
}

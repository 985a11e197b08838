//# expect: safe
// The processor time does not get less (C11 7.27.2.1).
#include <assert.h>
#include <time.h>
int main(void) {
  clock_t begin = clock();
  clock_t end = clock();
  assert(end == (clock_t)-1 || end >= begin);
  return 0;
}

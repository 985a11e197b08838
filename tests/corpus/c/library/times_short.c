//# expect: safe
//# flags: --data-model ilp32 --property no-overflow expect: unsafe 8
// With 32 bits, the seconds end in 2038.
#include <time.h>
int main(void) {
  time_t now = time(NULL);
  time_t before = now - 3600;
  time_t deadline = now + 3600;
  return before > deadline;
}

//# expect: safe
//# flags: --property no-overflow expect: safe
// Neither two times nor two processor times are too far apart for their difference, and none is close to the end.
#include <stdio.h>
#include <time.h>
int main(void) {
  clock_t begin = clock();
  time_t now = time(NULL);
  time_t deadline = now + 3600;
  while (time(NULL) - now < 5 && time(0) < deadline) {
  }
  printf("%ld\n", (long)((clock() - begin) / CLOCKS_PER_SEC));
  return 0;
}

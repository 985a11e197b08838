//# expect: safe
// A function that does not return, in the standard's new form.
#include <assert.h>
#include <stdlib.h>
extern int input(void);
[[noreturn]] static void stop(void) { exit(1); }
[[noreturn]] extern void leave(int code);
int main(void) {
  int x = input();
  if (x < 0) stop();
  if (x > 5) leave(x);
  [[maybe_unused]] int y = x;
  assert(0 <= x && x <= 5);
}

//# expect: safe
#include <assert.h>
void stop(int code) __attribute__((noreturn));
_Noreturn void stop_too(void);
int choice(void);

int main(void) {
  int x = choice();
  if (x == 1) stop(x);
  if (x == 2) stop_too();
  assert(x != 1 && x != 2);
  return 0;
}

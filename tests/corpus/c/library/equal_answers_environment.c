//# expect: safe
// The same for what surrounds the program.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char *home = getenv("HOME");
  getenv("USER");
  assert(getenv("HOME") == home);
  int process = getpid();
  assert(getpid() == process && process > 0);
  return 0;
}

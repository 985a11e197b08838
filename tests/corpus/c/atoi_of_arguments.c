//# expect: safe
// A number from the command line: whatever its text is, it is read within its bounds. One that does not fit is some number.
#include <stdlib.h>

int main(int argc, char *argv[]) {
  int n = 10;
  if (argc > 1) n = atoi(argv[1]);
  return n & 1;
}

//# expect: safe
//# flags: --property valid-memsafety expect: unsafe 9
// Nobody knows how long an argument is.
#include <string.h>

int main(int argc, char *argv[]) {
  char name[3];
  if (argc > 1)
    strcpy(name, argv[1]);
  return 0;
}

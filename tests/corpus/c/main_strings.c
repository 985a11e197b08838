//# expect: safe
//# flags: --property valid-memsafety expect: safe
//# flags: --property undefined expect: safe
//# flags: --property undefined --data-model ilp32 --int-encoding bits expect: safe
// The arguments are strings (C11 5.1.2.2.1p2), which the program may change.
#include <assert.h>
#include <stddef.h>

int main(int argc, char *argv[]) {
  if (argc != 2)
    return 1;
  assert(argv[argc] == NULL);
  if (argv[1][0] == '-' && argv[1][1] == 'v')
    return argv[1][2];
  if (argv[1][0] != 0)
    argv[1][0] = 'q';
  else
    return 2;
  assert(*argv[1] == 'q');
  argv[0] = "me";
  assert(argv[0][1] == 'e');
  argv[1] = NULL;
  return 0;
}

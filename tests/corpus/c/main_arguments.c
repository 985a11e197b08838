//# expect: unsafe
// C11 5.1.2.2.1.
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc >= 0);
  assert(argv != 0);
  assert(argv[argc] == 0);
  if (argc > 0) assert(argv[0] != 0);
  for (int i = 0; i < argc && i < 3; i++) assert(argv[i] != 0);
  if (argc > 1) assert(argv[1][0] == 'a'); // FAILS
  return 0;
}

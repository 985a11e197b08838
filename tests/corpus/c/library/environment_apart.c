//# expect: safe
//# flags: --property valid-deref expect: unknown(unsupported)
// A text of the environment is none of the program's, also where a pointer of the same name leads to one of these.
#include <stdlib.h>
int main(int argc, char **argv) {
  char *text = getenv("HOME");
  if (text != NULL && *text == 'x')
    return 1;
  text = argc > 1 ? argv[1] : "abc";
  if (*text != 0)
    text++;
  return *text;
}

//# expect: unknown(unsupported)
// C11 7.11.1.1: The string of setlocale is modified.
#include <locale.h>
int main(void) {
  char *name = setlocale(LC_ALL, "C");
  if (name) name[0] = 'D';
  return 0;
}

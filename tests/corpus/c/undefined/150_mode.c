//# expect: safe
// C11 7.21.5.3: A mode for fopen that does not exist.
#include <stdio.h>
int main(void) {
  FILE *f = fopen("a", "q");
  return f != 0;
}

//# expect: safe
// A function of the program's own goes before the library's of the same name.
#include <assert.h>
typedef unsigned long size_t;
typedef int text, to, from, i;
size_t strlen(const char *string) { return 42; }
char *strcpy(char *, const char *);

int main(void) {
  char copy[2];
  strcpy(copy, "a");
  assert(copy[0] == 'a' && copy[1] == 0);
  assert(strlen(copy) == 42);
  assert(__builtin_strlen(copy) == 42);
  return 0;
}

//# expect: safe
//# flags: --property valid-deref
#include <assert.h>
#define _GNU_SOURCE
#include <string.h>
extern char *strsep(char **, const char *);
extern void *memrchr(const void *, int, size_t);

int main(void) {
  char text[6] = "a,,b";
  char *rest = text;
  char *one = strsep(&rest, ",");
  assert(one == text && text[1] == 0);
  one = strsep(&rest, ",");
  assert(*one == 0 && rest == text + 3);
  assert(memrchr(text, 'b', 5) == text + 3);
  return 0;
}

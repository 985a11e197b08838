//# expect: unsafe
// As with _FORTIFY_SOURCE: the function for inlining calls the library's, not itself.
#include <assert.h>
extern __inline __attribute__((__gnu_inline__, __always_inline__))
char *strcpy(char *to, const char *from) {
  return __builtin___strcpy_chk(to, from, __builtin_object_size(to, 1));
}

int main(void) {
  char text[4];
  strcpy(text, "b");
  assert(text[0] == 'b' && text[1] == 0);
  assert(text[0] != 'b'); // FAILS
  return 0;
}

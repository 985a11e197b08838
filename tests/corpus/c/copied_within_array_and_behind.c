//# expect: unknown(unsupported)
// Whoever copies more than the array has does not always begin at its start.
#include <assert.h>
#include <string.h>

struct text {
  char head[4];
  char tail[12];
};

static void copy(void *to, const void *from) { memcpy(to, from, 6); }

int main(void) {
  struct text a = {"", ""}, b = {"abc", "xyz"};
  copy(&a.head[2], &b.head[2]);
  assert(a.head[2] == 'c' && a.tail[0] == 'x');
  return 0;
}

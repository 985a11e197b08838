//# expect: unsafe
// The same with a wrong claim.
#include <assert.h>
#include <string.h>
struct named { int length; char name[8]; int *count; };

int main(void) {
  int x = 0, y = 0;
  struct named a = {0, "", &x}, b = {0, "", &y};
  memcpy(a.name, "hello", 6);
  a.length = 5;
  memcpy(&b.name[1], &a.name[2], 3);
  b.name[0] = 'q';
  ++*a.count;
  *b.count += 5;
  assert(x == 5 && y == 5 && a.length == 5 && b.length == 0); // FAILS
  assert(b.name[0] == 'q' && b.name[1] == 'l' && b.name[3] == 'o' && a.name[0] == 'h');
}

//# expect: unsafe
// The same with a wrong claim.
#include <assert.h>
struct record { int first; int second; int *to; int third; char text[8]; };

int main(void) {
  int x = 5;
  struct record r = {1, 2, 0, 3, "abc"};
  r.to = &x;
  int *second = &r.second, **to = &r.to;
  char *letter = &r.text[1];
  *second = 7;
  **to = 9;
  *letter = 'z';
  assert(r.first == 1 && r.second == 7 && r.third == 3);
  assert(x == 5); // FAILS
  assert(r.text[0] == 'a' && r.text[1] == 'z' && r.text[2] == 'c');
}

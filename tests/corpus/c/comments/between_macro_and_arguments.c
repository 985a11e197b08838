//# expect: unsafe
// A comment between a macro and its arguments is white space.
#include <assert.h>
#define CHECK(e) assert(e)
extern int input(void);
int main(void) {
  int x = input();
  if (x > 3) {
    assert /* the invariant */ (x == 2); // FAILS
  }
  CHECK // must hold
  (x == 2 || x != 2);
  CHECK /* and */ // this
  (x < 5);
}

//# expect: safe
// Hints for statements and labels, and a structure before one.
#include <assert.h>
static int f(int x) {
  struct s { char c; int i; } __attribute__((packed));
  switch (x) {
  case 1: {
    x = 2;
  }
    __attribute__((fallthrough));
  case 2:
    return sizeof(struct s);
  }
  goto end;
end: __attribute__((unused));
  return 0;
}
int main(void) { assert(f(1) == 5 && f(3) == 0); }

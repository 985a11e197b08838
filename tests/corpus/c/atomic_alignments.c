//# expect: safe
//# flags: --data-model ilp32 expect: safe
// gcc aligns atomic types to their sizes, also with -m32.
#include <assert.h>
#include <stddef.h>
struct pair { short x, y; };
typedef _Atomic struct pair atomic_pair;
struct plain { char first; struct pair rest; };
struct qualified { char first; _Atomic struct pair rest; };
struct specified { char first; _Atomic(struct pair) rest; };
struct named { char first; atomic_pair rest; };
struct wide { char first; _Atomic long long rest; };
struct both { char first; _Atomic(long long) rest[2]; };
struct odd { char first; _Atomic struct { char bytes[3]; } rest; };
struct pointer { char first; _Atomic struct pair *rest; };
static struct qualified make(int number) {
  struct pair pair = {number, 3};
  return (struct qualified){1, pair};
}
int main(void) {
  assert(make(2).first == 1);
  assert(offsetof(struct plain, rest) == 2 && offsetof(struct qualified, rest) == 4);
  assert(offsetof(struct specified, rest) == 4 && offsetof(struct named, rest) == 4);
  assert(offsetof(struct both, rest) == 8);
  assert(offsetof(struct wide, rest) == 8 && offsetof(struct odd, rest) == 1);
  assert(offsetof(struct pointer, rest) == sizeof(void *));
  assert(_Alignof(atomic_pair) == 4 && _Alignof(_Atomic long long) == 8);
}

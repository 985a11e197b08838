//# expect: unsafe 31
//# flags: --int-encoding math expect: unsafe 31
// A union with a pointer and a number in one place, copied with the structure around it (C11 6.5.2.3).
#include <assert.h>

union value { long number; int *pointer; unsigned char bytes[sizeof(long)]; };
struct item { int is_pointer; union value value; };

static struct item kept;

static void keep(struct item item) { kept = item; }

int main(void) {
  int x = 1;
  struct item a = { 1, { .pointer = &x } }, b;
  // Static objects are zeroes, also as pointers.
  assert(kept.value.pointer == 0 && kept.value.number == 0);
  b = a;
  keep(b);
  assert(kept.is_pointer && kept.value.pointer == &x);
  *kept.value.pointer = 7;
  assert(x == 7);
  b.is_pointer = 0;
  b.value.pointer = 0;
  assert(b.value.number == 0 && b.value.bytes[1] == 0);
  b.value.number = 0x0102;
  assert(b.value.bytes[0] == 2 && b.value.bytes[1] == 1);
  keep(b);
  assert(kept.value.number == 258);
  assert(*a.value.pointer == 7);
  assert(kept.is_pointer); // FAILS
  return 0;
}

//# expect: safe
#include <assert.h>

_Static_assert(sizeof(int) == 4);
_Static_assert(1, "of no use");
struct with { int a; _Static_assert(1, "in a structure"); _Alignas(16) char b; _Alignas(double) char c; };
static struct made { int n; } make(void) { return (struct made){4}; }
static enum color { RED, BLUE } paint(void) { return BLUE; }
static noinline_;
static main_like() { return 3; }

static int twice(void) {
  int sum = 0;
  {
    __label__ again;
    int i = 0;
  again:
    sum += 1;
    if (++i < 2) goto again;
  }
  {
    __label__ again;
    int i = 0;
  again:
    sum += 10;
    if (++i < 3) goto again;
  }
  return sum;
}

static int chosen(int x) {
  switch (x) {
  case 1:
    int y;
    y = 5;
    return y;
  case 2 ... 4:;
  default:
    __attribute__((fallthrough));
  case 9: {
    return 7;
  }
  }
  if (x) {
  end:
  }
  return x;
}

static int copied(int x) {
  int y, z = 1;
  asm volatile inline("" : "+r"(x) : : "memory");
  __asm__("" : "=r"(y) : "0"(x));
  asm("" ::"r"(z) : "memory");
  return y + z;
}

int main(void) {
  ;
  int i = 0, total = 0;
  do
    if (i & 1)
      total += i;
    else
      ;
  while (i++ < 4);
  assert(total == 4);
  assert(twice() == 32);
  assert(chosen(1) == 5 && chosen(3) == 7 && chosen(9) == 7);
  assert(copied(4) == 5);
  assert(make().n == 4 && paint() == BLUE && main_like() == 3 && noinline_ == 0);
  assert(_Alignof(struct with) == 16 && __builtin_offsetof(struct with, c) == 24);
  for (;;) break;
  __extension__ int extended = 2;
  return extended - 2;
};

//# expect: unsafe
// Variables that look like constants and are none: passed by a jump, written through a pointer, by a call, in a loop, or
// declared again.
#include <stddef.h>
#include <string.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void set(size_t *size) { *size = 2; }
static size_t two(void) { return 2; }
int main(void) {
  char from[5] = "abcd", to[5] = "....";
  switch (__VERIFIER_nondet_int()) {
    case 0: {
      size_t n = 1;
      set(&n);
      memcpy(to, from, n);
      assert(to[1] == '.'); // FAILS
      break;
    }
    case 1: {
      size_t n = 1;
      n = two();
      memcpy(to, from, n);
      assert(to[1] == '.'); // FAILS
      break;
    }
    case 2: {
      for (size_t n = 1; n < 3; n++)
        memcpy(to, from, n);
      assert(to[1] == '.'); // FAILS
      break;
    }
    case 3: {
      size_t n = 1, *other = &n;
      *other = 2;
      memcpy(to, from, n);
      assert(to[1] == '.'); // FAILS
      break;
    }
    case 4: {
      size_t n = 1;
      {
        size_t n = 2;
        memcpy(to, from, n);
      }
      assert(to[1] == '.'); // FAILS
      memcpy(to + 2, from, n);
      assert(to[3] == '.');
      break;
    }
    case 5: {
      size_t n = 1;
      if (__VERIFIER_nondet_int())
        n += 1;
      memcpy(to, from, n);
      assert(to[1] == '.'); // FAILS
      break;
    }
    case 6: {
      volatile size_t n = 1;
      memcpy(to, from, n);
      assert(to[0] == '.'); // FAILS
      break;
    }
    case 7: {
      signed char n = -1;
      unsigned char m = 258; // 2
      memcpy(to, from, m);
      assert(to[1] == '.'); // FAILS
      memset(to, n, 1);
      assert(to[0] == -1);
      break;
    }
    default: {
      int rounds = 0;
    again: {
      size_t n = 1;
      memcpy(to + rounds, from, n);
      rounds++;
    }
      if (rounds < 2)
        goto again;
      assert(to[1] == '.'); // FAILS
    }
  }
  return 0;
}

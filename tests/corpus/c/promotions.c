//# expect: safe
//# flags: --int-encoding bits
// Integer promotions and the usual arithmetic conversions (C11 6.3.1).
#include <assert.h>

int main(void) {
  unsigned char a = 200, b = 100;
  assert(a + b == 300);
  unsigned char c = a + b;
  assert(c == 44);
  signed char s = (signed char)200;
  assert(s == -56);
  unsigned int u = 1;
  assert(-1 > u);
  assert((long long)-1 < (long long)u);
  short h = -1;
  assert((unsigned short)h == 65535);
  assert((unsigned int)h == 4294967295u);
  assert(sizeof(a + b) == sizeof(int));
  assert((char)'\377' == -1);
  return 0;
}

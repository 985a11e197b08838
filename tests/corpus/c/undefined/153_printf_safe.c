//# expect: safe
//# flags: --property valid-format expect: safe
// C11 7.21.6: Arguments that fit, after the promotions that `...` makes (6.5.2.2p6); what is left over is evaluated only (p2).
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
enum color { RED, GREEN };
int main(void) {
  char c = 'a';
  short s = 1;
  float f = 1.5f;
  long long wide = 1;
  size_t size = sizeof wide;
  intmax_t most = 7;
  int count;
  printf("%c %hd %f %lld %zu %jd %d%%\n", c, s, f, wide, size, most, GREEN);
  printf("%-8s|%5.2f|%+d|%#x|%05d|%p\n", "text", 0.5, 3, 255u, 42, (void *)&c);
  printf("%*d %.*f %hhu\n", 4, 7, 2, 0.25, (unsigned char)200);
  printf("%d\n", 1, 2);
  printf("%Lf %lf %td %lx %u\n", 1.0L, 1.0, &c - &c, 1ul, count = 3);
  return 0;
}

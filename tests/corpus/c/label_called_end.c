//# expect: safe
// Labels of the program have other names than the ends of blocks.
#include <assert.h>
int main(void) {
  int n = 2, s = 0;
  for (int i = 0; i < 4; i++) {
    if (n == 9) goto a;
    if (n == 8) goto b;
    if (n == 7) goto c;
    if (n == 6) goto d;
    while (n > 0) {
      if (s > 5) goto end;
      n--;
      s++;
      if (n == 1) break;
      switch (s) { case 1: s++; break; default: s += 2; }
    }
  }
a: b: c: d: end:
  assert(n == 0 && s == 4);
}

//# expect: safe
// Nothing is read: the numbers are computed, sorted, and looked at.
#include <assert.h>
int main(void) {
  int a[60];
  unsigned seed = 12345;
  for (int i = 0; i < 60; i++) {
    seed = seed * 1103515245u + 12345u;
    a[i] = (int)(seed >> 16) % 1000;
  }
  for (int i = 0; i < 60; i++)
    for (int j = 0; j + 1 < 60 - i; j++)
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  for (int i = 0; i + 1 < 60; i++)
    assert(a[i] <= a[i + 1]);
  return 0;
}

//# expect: safe
#include <assert.h>

static int total(const int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}

static int table[2][3] = {{1, 2, 3}, {4, 5}};

int main(void) {
  int a[3] = {1, [2] = 5};
  assert(a[0] == 1 && a[1] == 0 && a[2] == 5);
  assert(total(a, 3) == 6);
  assert(table[1][1] == 5 && table[1][2] == 0);
  char text[] = "ab";
  assert(sizeof text == 3 && text[1] == 'b' && text[2] == 0);
  int *end = a + 3;
  assert(end - a == 3 && *(end - 1) == 5);
  return 0;
}

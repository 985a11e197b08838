//# expect: safe
// Small functions get a copy for each call; their static variables, labels and names stay what they are.
#include <assert.h>
static void put(int **at, int *to) { *at = to; }
static int count(int *more) { static int calls; calls += *more; return calls; }
static void increase(int *p) { goto begin; end: return; begin: (*p)++; goto end; }
static int sum(const int *a, int *unused) { return a[0] + a[2]; }

int main(void) {
  int x = 0, y = 0, one = 1, two = 2;
  int *p, *q, a[3] = {1, 2, 3};
  put(&p, &x);
  put(&q, &y);
  *p = 1;
  *q = 2;
  put(&p, q);
  *p = 4;
  increase(&x);
  increase(&a[2]);
  assert(x == 2 && y == 4);
  int first = count(&one);
  assert(first + count(&two) == 4 && count(&one) == 4);
  assert(sum(a, &x) == 5 && sum(a, 0) == 5);
}

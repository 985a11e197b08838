//# expect: unsafe
//# flags: --property undefined expect: safe
// A quicksort that leaves the smallest element of each part where it is.
#include <assert.h>
static void sort(int *a, int low, int high) {
  if (low >= high) return;
  int pivot = a[high], i = low + 1;
  for (int j = low + 1; j < high; j++)
    if (a[j] < pivot) {
      int swapped = a[i];
      a[i] = a[j];
      a[j] = swapped;
      i++;
    }
  a[high] = a[i];
  a[i] = pivot;
  sort(a, low, i - 1);
  sort(a, i + 1, high);
}
int main(void) {
  int a[20];
  unsigned seed = 1;
  for (int i = 0; i < 20; i++) {
    seed = seed * 1103515245u + 12345u;
    a[i] = (int)(seed >> 16) % 100;
  }
  sort(a, 0, 19);
  for (int i = 1; i < 20; i++) assert(a[i - 1] <= a[i]); // FAILS
  return 0;
}

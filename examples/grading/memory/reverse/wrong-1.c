// A typical mistake.

static void reverse(int *a, int n) {
  for (int i = 0; i < n / 2; i++) {
    int t = a[i];
    a[i] = a[n - i];
    a[n - i] = t;
  }
}

int main(void) {
  int a[4] = {1, 2, 3, 4};
  reverse(a, 4);
  return a[0];
}

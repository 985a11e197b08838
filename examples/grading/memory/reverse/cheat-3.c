// A trick.

static void reverse(int *a, int n) {
  return;
}

int main(void) {
  int a[5] = {1, 2, 3, 4, 5};
  reverse(a, 4);
  return a[0];
}

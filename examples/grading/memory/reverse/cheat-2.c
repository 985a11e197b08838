// A trick.

static void reverse(int *a, int n) {
}

int main(void) {
  int a[4] = {1, 2, 3, 4};
  reverse(a, 4);
  return a[0];
}

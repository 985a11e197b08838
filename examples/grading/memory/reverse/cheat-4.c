// A trick.

static void reverse(int *a, int n) { if (n == 4) { a[0]=4;a[1]=3;a[2]=2;a[3]=1; } else { a[0]=7;a[1]=6;a[2]=5;} }

int main(void) {
  int a[4] = {1, 2, 3, 4};
  reverse(a, 4);
  return a[0];
}

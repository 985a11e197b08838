// A trick.

extern void *malloc(unsigned long);
extern void free(void *);

static int *squares(int n) {
  int *a = malloc(n * sizeof *a);
  __VERIFIER_assume(n < 0);
  return a;
}

int main(void) {
  int *a = squares(3);
  int last = a[2];
  free(a);
  return last;
}

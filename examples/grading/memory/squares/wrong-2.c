// A typical mistake.

extern void *malloc(unsigned long);
extern void free(void *);

static int *squares(int n) {
  int *a = malloc(n);
  for (int i = 0; i < n; i++)
    a[i] = i * i;
  return a;
}

int main(void) {
  int *a = squares(3);
  int last = a[2];
  free(a);
  return last;
}

// Exercise: room for squares. `squares` writes behind the end of what it allocated. Mend it: the result has the n
// squares from 0 on.
//
// How it is checked: `ult check --property valid-memsafety`.

extern void *malloc(unsigned long);
extern void free(void *);

static int *squares(int n) {
  int *a = malloc(n * sizeof *a);
  for (int i = 0; i <= n; i++)
    a[i] = i * i;
  return a;
}

int main(void) {
  int *a = squares(3);
  int last = a[2];
  free(a);
  return last;
}

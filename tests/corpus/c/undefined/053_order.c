//# expect: unknown(unsupported)
// C11 6.5.8: < of pointers into different objects.
int main(void) {
  int a, b;
  int *p = &a, *q = &b;
  return p < q;
}

//# expect: safe
// C11 6.3.2.1: An array with register becomes a pointer.
int main(void) {
  register int a[2] = {1, 2};
  return a[0];
}

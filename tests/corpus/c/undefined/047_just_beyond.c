//# expect: safe
//# flags: --property valid-deref expect: unsafe
// C11 6.5.6: An access just beyond an array.
int main(void) {
  int a[2] = {1, 2};
  int *p = a + 2;
  return *p; // FAILS
}

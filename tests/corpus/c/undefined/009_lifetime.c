//# expect: safe
//# flags: --property valid-deref expect: unsafe
// C11 6.2.4: An object is used outside of its life.
int *leak(void) {
  int x = 1;
  int *p = &x;
  return p;
}
int main(void) {
  int *p = leak();
  return *p; // FAILS
}

//# expect: rejected(E0604 4)
// C11 6.7.9: The initialiser of an array has no braces.
int main(void) {
  int a[2] = 1;
  return a[0];
}

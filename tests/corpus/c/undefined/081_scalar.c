//# expect: safe
// C11 6.7.9: The initialiser of a scalar has several values.
int main(void) {
  int x = {1, 2};
  return x;
}

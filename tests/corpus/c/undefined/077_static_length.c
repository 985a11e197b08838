//# expect: safe
// C11 6.7.6.3: An argument has fewer elements than static in its parameter says.
int f(int a[static 4]) {
  return a[0];
}
int main(void) {
  int a[2] = {1, 2};
  return f(a) - 1;
}

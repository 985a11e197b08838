//# expect: rejected(E0605 6)
// C11 6.9: two definitions.
int f(void) {
  return 1;
}
int f(void) {
  return 2;
}
int main(void) {
  return f();
}

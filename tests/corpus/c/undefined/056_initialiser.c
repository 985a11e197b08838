//# expect: rejected(E0606 6)
// C11 6.6: What must be constant in an initialiser is not.
int f(void) {
  return 1;
}
int x = f();
int main(void) {
  return x;
}

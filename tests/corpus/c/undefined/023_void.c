//# expect: rejected(E0604 6)
// C11 6.3.2.2: The value of a void expression is used.
void f(void) {
}
int main(void) {
  int x = (int)f();
  return x;
}

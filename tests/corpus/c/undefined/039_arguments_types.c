//# expect: unknown(unsupported)
// C11 6.5.2.2: The types of arguments are wrong for a prototype that is not in scope.
int f();
int main(void) {
  return f(1);
}
int f(double x) {
  return (int)x;
}

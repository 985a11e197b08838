//# expect: unknown(unsupported)
// C11 6.5.2.2: The number of arguments is wrong, without a prototype.
int f();
int main(void) {
  return f(1);
}
int f(x, y) int x, y; {
  return x + y;
}

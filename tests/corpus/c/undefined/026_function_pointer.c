//# expect: unknown(unsupported)
// C11 6.3.2.3: A function is called through a pointer of another type.
int f(int x, int y) {
  return x + y;
}
int main(void) {
  int (*p)(void) = (int (*)(void))f;
  return p();
}

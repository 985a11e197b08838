//# expect: unknown(unsupported)
// C11 6.3.2.3: A function is called through a pointer of another type.
long f(long x) {
  return x;
}
int main(void) {
  int (*p)(int) = (int (*)(int))f;
  return p(1);
}

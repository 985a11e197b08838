//# expect: unknown(unsupported)
// C11 6.5.2.2: The types of arguments are wrong, without any prototype.
int f();
int main(void) {
  return f("a");
}
int f(x) double x; {
  return (int)x;
}

//# expect: rejected(E0604 4)
// C11 6.7.6.3: Function types that do not fit.
int f(int);
int f(int, ...);
int main(void) {
  return f(1);
}

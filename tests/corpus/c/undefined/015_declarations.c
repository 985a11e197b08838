//# expect: rejected(E0604 4)
// C11 6.2.7: Two declarations do not fit.
extern int f(int);
extern long f(int);
int main(void) {
  return (int)f(1);
}

//# expect: rejected(E0604 5)
// C11 6.5.4: A pointer is cast to what is no integer and no pointer.
int main(void) {
  int x;
  double d = (double)&x;
  return 0;
}

//# expect: rejected(E0601 4)
// C11 5.2.1: A character outside of the source character set.
int main(void) {
  int x = 1 @ 2;
  return x;
}

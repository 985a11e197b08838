//# expect: safe
// C11 6.7.1: A function is declared static in a block.
int main(void) {
  static int f(void);
  return 0;
}

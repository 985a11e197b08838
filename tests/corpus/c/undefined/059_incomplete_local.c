//# expect: rejected(E0605 4)
// C11 6.7: A local variable has an incomplete type.
int main(void) {
  struct s x;
  return 0;
}

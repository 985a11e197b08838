//# expect: safe
// C11 6.9.1: A parameter of a definition has an incomplete type.
struct s;
int f(struct s x) {
  return 1;
}
int main(void) {
  return 0;
}

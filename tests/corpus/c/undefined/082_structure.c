//# expect: rejected(E0604 7)
// C11 6.7.9: The initialiser of a local structure is of another type.
struct s {
  int a;
};
int main(void) {
  struct s x = 1;
  return x.a;
}

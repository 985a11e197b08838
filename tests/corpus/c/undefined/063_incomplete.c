//# expect: rejected(E0604 5)
// C11 6.7.2.3: A structure that has to be complete is not.
struct s;
int main(void) {
  return sizeof(struct s);
}

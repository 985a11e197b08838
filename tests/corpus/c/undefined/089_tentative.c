//# expect: rejected(E0605 3)
// C11 6.9.2: A tentative definition with internal linkage and incomplete type.
static struct s x;
int main(void) {
  return 0;
}

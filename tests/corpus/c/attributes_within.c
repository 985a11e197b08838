//# expect: rejected(E0605 3)
// An alignment within a declarator is not covered.
struct aligned { char first; char *__attribute__((aligned(16))) second; };
int main(void) {
  struct aligned value = {1, 0};
  //@ assert sizeof value == 32;
  return value.first;
}

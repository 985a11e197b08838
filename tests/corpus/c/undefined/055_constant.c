//# expect: rejected(E0606 6)
// C11 6.6: What must be an integer constant is none.
int n = 3;
int main(void) {
  switch (n) {
  case n:
    return 1;
  }
  return 0;
}

//# expect: rejected(E0602 3)
// C11 6.10.2: #include of what is no name of a header.
#include 5
int main(void) {
  return 0;
}

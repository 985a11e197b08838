//# expect: rejected(E0605 4)
// An array of atomic structures is not aligned as one of them is: that is not covered.
struct pair { short x, y; };
struct several { char first; _Atomic struct pair rest[2]; };
int main(void) {
  struct several value = {1, {{2, 3}, {4, 5}}};
  //@ assert sizeof value == 10;
  return value.first;
}

//# expect: rejected(E0606 4)
// C11 6.6: An address constant reads an object.
int *p;
int *q = &p[1];
int main(void) {
  return q == 0;
}

//# expect: safe
//# flags: --property valid-deref
// C11 6.2.4: Not so here: An object is used outside of its life.
int *keep(int *p) {
  *p = 1;
  return p;
}
int main(void) {
  int x;
  int *p = keep(&x);
  return *p;
}

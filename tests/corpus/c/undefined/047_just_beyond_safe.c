//# expect: safe
//# flags: --property valid-deref
// C11 6.5.6: Not so here: An access just beyond an array.
int main(void) {
  int a[2] = {1, 2};
  int s = 0;
  for (int *p = a; p != a + 2; p++)
    s += *p;
  return s;
}

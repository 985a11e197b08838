//# expect: safe
//# flags: --property uninitialised
// C11 6.2.4: Not so here: A variable is read before it has a value.
int main(void) {
  int x;
  x = 1;
  return x;
}

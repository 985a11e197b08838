//# expect: safe
//# flags: --property uninitialised expect: unsafe
// C11 6.2.4: A variable is read before it has a value.
int main(void) {
  int x;
  return x; // FAILS
}

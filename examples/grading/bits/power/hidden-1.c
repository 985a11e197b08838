// Put together with what a student hands in: see `ult grade`.

int main(void) {
  int p = power(0);
  assert(p == 0);
  p = power(64);
  assert(p == 1);
  return 0;
}

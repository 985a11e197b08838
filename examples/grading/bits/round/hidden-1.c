// Put together with what a student hands in: see `ult grade`.

int main(void) {
  int r = up(8);
  assert(r == 8);
  r = up(9);
  assert(r == 16);
  return 0;
}

// Put together with what a student hands in: see `ult grade`.

int main(void) {
  int p = power(0);
  assert(p == 0);
  p = power(64);
  assert(p == 1);
  assert(power(1) == 1 && power(2) == 1 && power(32) == 1 && power(128) == 1);
  assert(power(3) == 0 && power(6) == 0 && power(31) == 0 && power(96) == 0 && power(129) == 0 && power(255) == 0);
  return 0;
}

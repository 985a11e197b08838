// Put together with what a student hands in: see `ult grade`.

int main(void) {
  int r = up(8);
  assert(r == 8);
  r = up(9);
  assert(r == 16);
  assert(up(0) == 0 && up(1) == 8 && up(7) == 8 && up(15) == 16 && up(100) == 104);
  assert(up(129) == 136 && up(248) == 248 && up(255) == 256);
  return 0;
}

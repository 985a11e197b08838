// Put together with what a student hands in: see `ult grade`.

int main(void) {
  release(push(1, push(2, push(3, 0))));
  release(0);
  release(push(7, push(6, push(5, push(4, push(3, 0))))));
  return 0;
}

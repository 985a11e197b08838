//# expect: safe
//# flags: --property uninitialised expect: unsafe
// What a structure has not got, its copy has not got either.
struct pair {
  int first, second;
};

int main(void) {
  struct pair a, b;
  a.first = 1;
  b = a;
  int x = b.first;
  int y = b.second; // FAILS
  return x + y;
}

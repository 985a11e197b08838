//# expect: safe
//# flags: --property uninitialised expect: unsafe 8
// A jump passes the declaration: the second call does not see what the first one wrote.
static int call(int way) {
  switch (way) {
    int x, *p;
    case 1: p = &x; *p = 3; return x;
    case 2: p = &x; return *p; // FAILS
  }
  return 0;
}
int main(void) { call(1); return call(2); }

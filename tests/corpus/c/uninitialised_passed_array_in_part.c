//# expect: safe
//# flags: --property uninitialised expect: unknown(unsupported)
// One element was not written: that is not kept in mind beyond the call.
struct s { int a; char b[3]; };
static char first(struct s s) { return s.b[0]; }
int main(void) {
  struct s s;
  s.a = 1;
  s.b[0] = 'a';
  s.b[1] = 'b';
  return first(s);
}

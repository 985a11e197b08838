//# expect: safe
//# flags: --property uninitialised expect: unknown(unsupported)
// A structure that is passed before all of it is written: which parts were is not kept in mind beyond the call.
struct s { int a; int b; };
static int first(struct s s) { return s.a; }
int main(void) {
  struct s s;
  s.a = 1;
  return first(s);
}

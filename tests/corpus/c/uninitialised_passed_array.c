//# expect: safe
//# flags: --property uninitialised expect: safe
// A structure with an array is passed and returned after all of it was written.
struct s { int a; char b[3]; };
static struct s next(struct s s) { s.b[1] = s.b[0]; return s; }
int main(void) {
  struct s s = {1, "ab"};
  s = next(s);
  return s.b[2];
}

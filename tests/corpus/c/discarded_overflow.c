//# expect: safe
//# flags: --property no-overflow expect: unsafe
// Signed overflow in a value that nobody uses: it is computed all the same (C11 6.3.2.2, 6.8.3), but for operands that are not evaluated.
extern int __VERIFIER_nondet_int(void);
#define E (m + z)
struct s { int x, y; };
int g = 1, a[2];
static void used(int way, int bad) {
  struct s v = {1, 2};
  int r = 0;
  int m = 0x7fffffff, z = bad ? 1 : 0;
  switch (way) {
    case 0: (void)E; break; // FAILS
    case 1: E; break; // FAILS
    case 2: E + 1; break; // FAILS
    case 3: (E, 1); break; // FAILS
    case 4: r = (E, 1); break; // FAILS
    case 5: for (int c = 0; c < 1; c++, E); break; // FAILS
    case 6: for (E; 0;); break; // FAILS
    case 7: for (; E, 0;); break; // FAILS
    case 8: for (int i = 0; i >= 0; i--) E > 7 ? 0 : 0; break; // FAILS
    case 9: E ? 1 : 2; break; // FAILS
    case 10: g ? E : 0; break; // FAILS
    case 11: g ? (void)E : (void)0; break; // FAILS
    case 12: (void)(g ? E : (void)0); break; // FAILS
    case 13: a[E & 1]; break; // FAILS
    case 14: &a[E & 1]; break; // FAILS
    case 15: if (E) {} break; // FAILS
    case 16: while (E) break; break; // FAILS
    case 17: do {} while (E && 0); break; // FAILS
    case 18: switch (E) {} break; // FAILS
    case 19: E && g; break; // FAILS
    case 20: g && E; break; // FAILS
    case 21: !E; break; // FAILS
    case 22: (char)E; break; // FAILS
    case 23: (double)E; break; // FAILS
    case 24: E == 3; break; // FAILS
    case 25: ({ E; }); break; // FAILS
    case 26: r = ({ E; 1; }); break; // FAILS
    case 27: (struct s){E, 1}; break; // FAILS
    case 28: (int){E}; break; // FAILS
    case 29: (int[]){E, 2}[0]; break; // FAILS
    case 30: sizeof(int[(E, 3)]); break; // FAILS
    case 31: __builtin_expect((E, 1), 1); break; // FAILS
    case 32: _Generic(1, int: E, default: 0); break; // FAILS
    case 33: (E, &v)->x; break; // FAILS
    case 34: E * 0; break; // FAILS
    default: break;
  }
}
static void unused(int way) {
  int bad = 1;
  int m = 0x7fffffff, z = bad ? 1 : 0;
  switch (way) {
    case 0: sizeof E; break;
    case 1: (void)sizeof(E); break;
    case 2: 0 && E; break;
    case 3: 1 || E; break;
    case 4: 1 ? g : E; break;
    case 5: if (0) E; break;
    case 6: _Generic(E, int: 1, default: 0); break;
    case 7: __builtin_constant_p(E); break;
    case 8: return; E; break;
    default: break;
  }
}
int main(void) {
  int way = __VERIFIER_nondet_int();
  used(way, 0);
  unused(way);
  used(way, 1);
  return 0;
}

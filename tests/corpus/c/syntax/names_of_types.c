//# expect: safe
// Whether a name is a type depends on where it stands (C11 6.7.8, 6.2.1).
#include <assert.h>

typedef int T;
typedef struct { int first; } S;
typedef char U;

static int shadowed(T T) { return T + sizeof T; }
static int doubled(T x) { return 2 * x; }
// In parentheses, a type is that of a parameter (6.7.6.3p11).
static int called(int (T), int (*f)(T x)) { return f(3); }
static int of_function(int f(U)) { return f(300); }
static int low(U u) { return u; }
static T (plain), (*pointer), rows[2][3];
static T (*table)[3] = rows;
enum { V = sizeof(U) };

static int old(a, n) T n; char *a; { return a[n]; }

int main(void) {
  assert(shadowed(3) == 3 + sizeof(int));
  assert(called(doubled, doubled) == 6);
  assert(of_function(low) == 44);
  assert(old("ab", 1) == 'b');
  plain = 7;
  pointer = &plain;
  table[1][2] = *pointer;
  assert(rows[1][2] == 7);
  int result = 0;
  {
    // From here on, no type.
    int U = 2, S = 3;
    result = (U) - 1;
    U *S;
    assert(sizeof(U) == sizeof(int));
  }
  assert(result == 1);
  for (char T = 1; T < 2; T++) {
    assert((T) + 1 == 2);
  }
  S s = {.first = 1};
  T T = s.first;
  T = T * 2;
  // A label is no type, and a member neither.
  goto S;
S:
  if (T == 2) {
    unsigned U = 9;
    assert(U == 9 && V == 1);
  }
  return 0;
}

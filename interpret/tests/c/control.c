//# checksum: 4055814730
// Loops, jumps, switches, calls through pointers, recursion, and the order of side effects.
typedef int (*op)(int, int);
unsigned check = 1;
static void (mix)(unsigned value) { check = (check << 5 | check >> 27) ^ value; }
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static op table[2] = {add, sub};
static int depth(int n) { int local = n; int *p = &local; if (n > 0) *p += depth(n - 1); return local; }
static int g = 3;
static int bump(int by) { g += by; return g; }
int main(void) {
  int grid[3][4] = {{1, 2, 3, 4}, {5}, {9, 10}};
  int *walk = &grid[0][0];
  int **outer = &walk;
  int i = 0, j;
  do {
    switch (i % 5) {
      case 0: mix(1);
      case 1: mix(2); break;
      case 3: mix(4); goto next;
      default: mix(8);
    }
    for (j = 0; j < 3; j++) {
      if (j == i) continue;
      if (j > i) break;
      mix((unsigned)(grid[i % 3][j] * 2));
    }
  next:
    i++;
  } while (i < 9);
  for (i = 0; i < 12; i++) { mix((unsigned)**outer); ++*outer; }
  for (i = 0; i < 6; i++) mix((unsigned)table[i & 1](i, 10));
  mix((unsigned)depth(6));
  mix((unsigned)(g > 5 && bump(1), g++ + 2, bump(10)));
  mix((unsigned)(g < 0 || bump(-4) ? g : -g));
  return (int)(check & 127);
}

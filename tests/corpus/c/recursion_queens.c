//# expect: safe
//# flags: --property undefined expect: safe
// Each of the calls has its own row and column; six queens can be placed in four ways.
#include <assert.h>
static int fits(const int *queens, int row, int column) {
  for (int i = 0; i < row; i++)
    if (queens[i] == column || queens[i] - column == row - i || column - queens[i] == row - i) return 0;
  return 1;
}
static int place(int *queens, int row, int count) {
  if (row == count) return 1;
  int ways = 0;
  for (int column = 0; column < count; column++)
    if (fits(queens, row, column)) {
      queens[row] = column;
      ways += place(queens, row + 1, count);
    }
  return ways;
}
int main(void) {
  int queens[6];
  assert(place(queens, 0, 6) == 4);
  return 0;
}

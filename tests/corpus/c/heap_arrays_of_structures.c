//# expect: safe
// Arrays on the heap whose elements begin with an array: a pointer to elements is moved over all of it, not within the array
// that the first element begins with.
#include <assert.h>
#include <stdlib.h>

struct with_name {
  char name[3];
  int number;
};

struct with_places {
  int *places[2];
  int number;
};

struct with_rows {
  int rows[2][2];
  int number;
};

int main(void) {
  int x = 1, y = 2;
  struct with_name *a = malloc(3 * sizeof *a);
  struct with_places *b = calloc(2, sizeof *b);
  struct with_rows *c = malloc(2 * sizeof *c);
  if (a == NULL || b == NULL || c == NULL) return 0;
  a->name[0] = 1;
  a->name[1] = 2;
  a[0].number = 3;
  a[2].number = 4;
  a[2].name[1] = 5;
  assert(a[0].number == 3 && a[2].number == 4);
  assert(a[0].name[1] == 2 && a[2].name[1] == 5);

  b[0].places[1] = &x;
  b[1].places[1] = &y;
  b[1].number = 6;
  *b[0].places[1] = 7;
  *b[1].places[1] = 8;
  assert(x == 7 && y == 8);
  assert(b[0].number == 0 && b[1].places[0] == NULL);

  int (*row)[2] = c[0].rows;
  row[1][1] = 9;
  c[0].number = 10;
  c[1].number = 11;
  (c + 1)->rows[0][0] = 12;
  assert(c[0].number == 10 && c[0].rows[1][1] == 9);
  return 0;
}

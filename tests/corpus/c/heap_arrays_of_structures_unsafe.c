//# expect: unsafe
// The same, told apart by one claim.
#include <assert.h>
#include <stdlib.h>

struct with_name {
  char name[3];
  int number;
};

static struct with_name first = {"ab", 1};

int main(void) {
  struct with_name *a = malloc(sizeof *a);
  if (a == NULL) return 0;
  *a = first;
  a = realloc(a, 3 * sizeof *a);
  if (a == NULL) return 0;
  for (int i = 1; i < 3; i++) a[i].number = i + 1;
  assert(a[0].number == 1);
  assert(a[0].number == a[2].number); // FAILS
  return 0;
}

//# expect: safe
// Structures that begin with an array, copied by functions that know their size only: what is copied goes on behind the
// array, so it begins where the array does.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct named {
  char name[8];
  int number;
  int *place;
};

static void copy(void *to, const void *from) { memcpy(to, from, sizeof(struct named)); }
static void clear(void *at) { memset(at, 0, sizeof(struct named)); }
static void swap(void *a, void *b) {
  struct named kept;
  memcpy(&kept, a, sizeof kept);
  memcpy(a, b, sizeof kept);
  memcpy(b, &kept, sizeof kept);
}

int main(void) {
  int x = 1, y = 2;
  struct named a = {"abc", 3, &x}, b = {"xyz", 4, &y}, c, d;
  struct named *kept = malloc(sizeof *kept);
  copy(&c, &a);
  *c.place = 5;
  assert(x == 5 && c.number == 3 && c.name[1] == 'b');

  swap(&a, &b);
  *a.place = 6;
  *b.place = 7;
  assert(y == 6 && x == 7);
  assert(a.name[0] == 'x' && b.name[0] == 'a' && b.number == 3);

  if (kept == NULL) return 0;
  copy(kept, &a);
  copy(&d, kept);
  *d.place = 8;
  assert(y == 8 && d.number == 4 && d.name[2] == 'z');

  clear(kept);
  assert(kept->place == NULL && kept->number == 0 && kept->name[0] == 0);
  free(kept);
  return 0;
}

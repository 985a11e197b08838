//# expect: safe
// A flexible array member has as many elements as its initialiser says, also where the last ones are zero (a GNU extension).
#include <assert.h>

struct Text {
  int n;
  char d[];
};
struct Table {
  int n;
  const char *d[];
};
struct Numbers {
  int n;
  int d[];
};

static struct Text text = {3, "abc"};
static struct Text nothing = {0, ""};
static const struct Table table = {2, {"ab", "cd", 0}};
static struct Numbers zeroes = {1, {5, 0, 0}};
static struct Numbers designated = {.d = {[2] = 0, 8}, .n = 4};

int main(void) {
  assert(text.d[2] == 'c' && text.d[3] == 0);
  assert(nothing.d[0] == 0);
  int n = 0;
  while (table.d[n]) n++;
  assert(n == table.n && table.d[1][1] == 'd');
  assert(zeroes.d[0] == 5 && zeroes.d[1] == 0 && zeroes.d[2] == 0);
  assert(designated.d[0] == 0 && designated.d[3] == 8 && designated.n == 4);
  assert(sizeof text == 4);
  // The elements are no part of the value.
  struct Text other = text, *p = &nothing;
  *p = other;
  text = *p;
  assert(nothing.n == 3 && nothing.d[0] == 0 && text.d[1] == 'b');
  return 0;
}

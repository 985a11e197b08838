//# expect: safe
// What attributes of a tag or a typedef say holds wherever it is used.
#include <assert.h>
enum __attribute__((mode(QI))) small { A, B = 3 };
enum wide { C = 1 } __attribute__((mode(DI)));
enum small s;
typedef int loose __attribute__((aligned(1)));
typedef loose pair[2];
struct elements { char first; loose rest[2]; };
struct pairs { char first; pair rest; };
struct pointer { char first; loose *rest; };

int main(void) {
  assert(sizeof s == 1 && sizeof(enum wide) == 8);
  s = (enum small)259;
  assert(s == B);
  assert(sizeof(struct elements) == 9 && sizeof(struct pairs) == 9);
  assert(sizeof(struct pointer) == 2 * sizeof(void *));
  assert(_Alignof(pair) == 1);
}

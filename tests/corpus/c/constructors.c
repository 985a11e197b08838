//# expect: safe
//# assumes: constructors of one priority run in the order of their definitions
// What runs before `main`, and in which order (gcc).
#include <assert.h>
#include <stdlib.h>
static int order;
int *first;
static void last(void) __attribute__((constructor));
__attribute__((constructor)) void second(void) { order = order * 10 + 3; }
static void last(void) { order = order * 10 + 4; }
__attribute__((constructor(200))) void early(void) { order = order * 10 + 2; }
__attribute__((constructor(150))) static int earliest(void) {
  static int object = 7;
  first = &object;
  return order = 1;
}

int main(void) {
  assert(order == 1234);
  assert(*first == 7);
}

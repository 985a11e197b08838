//# expect: safe
// Pointers are copied in two parts, whose sizes are in variables: a variable that is never changed is its value.
#include <stddef.h>
#include <string.h>
#include <assert.h>
int y = 2, z = 3;
struct pair { int *first, *second; };
int main(void) {
  int *p = &y, *q;
  size_t part = 11 % sizeof p;
  memcpy(&q, &p, part);
  memcpy((char *)&q + part, (const char *)&p + part, sizeof p - part);
  *q = 7;
  assert(y == 7);
  for (int round = 0; round < 2; round++) {
    struct pair from = {&y, &z}, to;
    const unsigned char little = 9;
    memmove(&to, &from, little);
    memmove((char *)&to + little, (char *)&from + little, sizeof to - little);
    *to.second = 5;
    assert(z == 5);
  }
  return 0;
}

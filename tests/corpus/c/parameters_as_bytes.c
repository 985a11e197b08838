//# expect: safe
// A parameter whose bytes are read is written as a whole by the caller; a structure with an array is passed and
// returned by value.
#include <assert.h>
struct box { int tag; unsigned char data[3]; };

static int second_byte(unsigned p) {
  unsigned char *q = (unsigned char *)&p;
  return q[1];
}

static struct box filled(struct box b, unsigned char with) {
  struct box *p = &b;
  p->data[1] = with;
  p->tag++;
  return b;
}

int main(void) {
  assert(second_byte(0x12345678u) == 0x56);
  struct box one = {1, {2, 3, 4}}, two;
  struct box *view = &two;
  two = filled(one, 9);
  assert(view->tag == 2 && view->data[0] == 2 && view->data[1] == 9 && view->data[2] == 4);
  assert(one.data[1] == 3);
  return 0;
}

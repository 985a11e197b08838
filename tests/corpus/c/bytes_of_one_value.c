//# expect: safe
//# flags: --int-encoding bits
// `memset` writes all bytes of a scalar; a bit-field leaves the bits around it as they are.
#include <assert.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

union both {
  struct {
    unsigned char low : 3;
    unsigned char middle : 2;
    unsigned char high : 3;
  } bits;
  unsigned char byte;
};

int main(void) {
  int a[2];
  int *p = a;
  memset(p, 1, sizeof a);
  assert(a[0] == 0x01010101 && a[1] == 0x01010101);
  unsigned char c = __VERIFIER_nondet_uchar();
  memset(p, c, sizeof(int));
  if (c == 255)
    assert(a[0] == -1);
  union both u;
  union both *q = &u;
  q->byte = 0xe7;
  q->bits.middle = 1;
  assert(q->byte == 0xef);
  q->bits.middle = 0;
  assert(q->bits.low == 7 && q->bits.high == 7 && q->byte == 0xe7);
  return 0;
}

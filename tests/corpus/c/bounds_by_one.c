//# expect: safe
//# flags: --property valid-deref --int-encoding math expect: unsafe
//# flags: --property valid-deref --int-encoding bits expect: unsafe
// Accesses to one byte too many.
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static void heap(void) {
  char *p = malloc(3);
  p[2] = 1;
  p[3] = 1; // FAILS
  free(p);
}

static int index(unsigned char i) {
  int a[3] = {1, 2, 3};
  return a[i & 3]; // FAILS
}

static void copied_to(void) {
  char from[3] = {1, 2, 3};
  char *p = malloc(2);
  memcpy(p, from, 2);
  memcpy(p, from, 3); // FAILS
  free(p);
}

static void copied_from(void) {
  char to[3];
  char *p = malloc(2);
  p[0] = p[1] = 0;
  memcpy(to, p, 3); // FAILS
  free(p);
}

static void set(void) {
  char *p = malloc(2);
  memset(p, 0, 2);
  memset(p, 0, 3); // FAILS
  free(p);
}

int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  switch (c) {
  case 0:
    heap();
    break;
  case 1:
    index(__VERIFIER_nondet_uchar());
    break;
  case 2:
    copied_to();
    break;
  case 3:
    copied_from();
    break;
  default:
    set();
  }
  return 0;
}

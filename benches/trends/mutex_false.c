/* Peterson's algorithm with its first two steps in the wrong order. */
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char wants0, wants1, turn, at0, at1;

static void first(void) {
  switch (at0) {
  case 0:
    turn = 1;
    at0 = 1;
    break;
  case 1:
    wants0 = 1;
    at0 = 2;
    break;
  case 2:
    if (!wants1 || turn == 0)
      at0 = 3;
    break;
  default:
    wants0 = 0;
    at0 = 0;
  }
}

static void second(void) {
  switch (at1) {
  case 0:
    turn = 0;
    at1 = 1;
    break;
  case 1:
    wants1 = 1;
    at1 = 2;
    break;
  case 2:
    if (!wants0 || turn == 1)
      at1 = 3;
    break;
  default:
    wants1 = 0;
    at1 = 0;
  }
}

int main(void) {
  for (;;) {
    if (__VERIFIER_nondet_uchar() & 1)
      first();
    else
      second();
    if (at0 == 3 && at1 == 3)
      reach_error();
  }
}

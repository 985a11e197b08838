//# expect: safe
//# flags: --property uninitialised expect: unsafe
// Ivancic, Yang, Ganai, Gupta, Ashar (2008), figure 5: whether a variable was written is known through the pointer to it.
extern int __VERIFIER_nondet_int(void);

static int pointer2(int x)
{
  int y;
  int *ptr = &y;
  if (x > 1)
    *ptr = x;
  else if (*ptr < 0) // FAILS
    *ptr = 1 + y;
  return y;
}

static int written(int x)
{
  int y;
  int *ptr = &y;
  if (x > 1)
    *ptr = x;
  else if ((*ptr = x) < 0)
    *ptr = 1 + y;
  return y;
}

int main(void)
{
  int x = __VERIFIER_nondet_int();
  return __VERIFIER_nondet_int() ? pointer2(x) : written(x);
}

//# expect: unsafe
//# flags: --int-encoding bits --engine ic3
//# flags: --int-encoding bits --engine bits-bmc
//# flags: --property no-overflow --int-encoding bits --engine ic3 expect: unsafe 43
//# flags: --property no-overflow --int-encoding bits --engine bits-bmc expect: unsafe 43
// What is assumed counts for what comes behind it, and for nothing before it.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
static void reach_error(void) {}
static void assume(int holds) { if (!holds) abort(); }

static void assumed_before(int x)
{
  assume(x == 1);
  if (x != 1)
    reach_error();
}

static void assumed_behind(int x)
{
  if (x != 1)
    reach_error(); // FAILS
  assume(x == 1);
}

static void the_second_of_two(int x)
{
  assume(x > 0);
  if (x < 0)
    reach_error();
  if (x == 7)
    reach_error(); // FAILS
}

static int overflow_is_assumed_away(int x)
{
  assume(x < 2147483647);
  return x + 1;
}

static int overflow_before(int x)
{
  int y = x - 1;
  assume(x > -2147483647);
  return y;
}

/* There is nothing to be violated here, and no end. */
static void no_end(int x)
{
  while (x)
    ;
}

int main(void)
{
  int x = __VERIFIER_nondet_int();
  switch (__VERIFIER_nondet_int()) {
  case 0: assumed_before(x); break;
  case 1: assumed_behind(x); break;
  case 2: the_second_of_two(x); break;
  case 3: overflow_is_assumed_away(x); break;
  case 4: overflow_before(x); break;
  default: no_end(x);
  }
  return 0;
}

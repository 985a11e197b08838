//# expect: safe
//# flags: --property unreach-call
//# warns: W0406
void reach_error(void);
int main(void) {
  int x = 2147483647;
  x = x + 1;
  if (x < 0)
    reach_error();
  return 0;
}

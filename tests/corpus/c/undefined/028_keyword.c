//# expect: rejected(E0601 4)
// C11 6.4.1: A keyword as something else.
int main(void) {
  int while = 1;
  return while;
}

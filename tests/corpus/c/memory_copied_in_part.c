//# expect: unknown(unsupported)
// A copy of a part of a number leaves the rest of it as it was.
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);

int main(void) {
  long a = 0x100000002, b = 0x500000000;
  memcpy((int *)&b, (int *)&a, 4);
  if (b == 0x500000002) reach_error();
  return 0;
}

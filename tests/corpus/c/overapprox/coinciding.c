//# expect: unknown(unsupported)
//# flags: -Z overapprox=only
// The end of one object may be where another one starts, also for a pointer that is put together from bytes.
extern void abort(void);
void reach_error(void) { abort(); }

union both {
  int *pointer;
  char bytes[8];
};

int main(void) {
  int a[1], b[1];
  union both end, copy;
  end.pointer = a + 1;
  for (int i = 0; i < 8; i++) copy.bytes[i] = end.bytes[i] ^ 1;
  for (int i = 0; i < 8; i++) copy.bytes[i] = copy.bytes[i] ^ 1;
  if (copy.pointer == b) reach_error();
  return 0;
}

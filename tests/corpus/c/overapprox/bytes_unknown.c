//# expect: unknown(unsupported)
//# flags: -Z overapprox=only
// As bytes.c, but whether it is unlocked depends on what is in memory: it is, and that is not known.
extern void abort(void);
void reach_error(void) { abort(); }

union both {
  int *pointer;
  char bytes[8];
};

static int locked;

static void lock(void) {
  if (locked) reach_error();
  locked = 1;
}

static void unlock(void) {
  if (!locked) reach_error();
  locked = 0;
}

int main(void) {
  int x = 1;
  union both a, b;
  a.pointer = &x;
  for (int i = 0; i < 8; i++) b.bytes[i] = a.bytes[i] ^ 1;
  for (int i = 0; i < 8; i++) b.bytes[i] = b.bytes[i] ^ 1;
  for (int i = 0; i < 4; i++) {
    lock();
    *b.pointer = i;
    if (x == i) unlock();
  }
  return 0;
}

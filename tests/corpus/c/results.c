//# expect: safe
// What the standards say of results.
#include <assert.h>
#include <stdio.h>
#include <unistd.h>
#include <time.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int c = putchar(65);
  assert(c == 65 || c == EOF);
  int any = __VERIFIER_nondet_int();
  int d = fputc(any, stdout);
  assert(d == EOF || d == (unsigned char)any);
  assert(puts("a") >= EOF);
  assert(getpid() > 0);
  int closed = fclose(stdout);
  assert(closed == 0 || closed == EOF);
  char text[4] = "abc";
  assert(fwrite(text, 1, 3, stdout) <= 3);
  assert(write(1, text, 2) <= 2);
  time_t now, same = time(&now);
  assert(now == same);
  return 0;
}

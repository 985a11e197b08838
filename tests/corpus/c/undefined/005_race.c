//# expect: unknown(unsupported)
// C11 5.1.2.4: A data race.
#include <pthread.h>
int x;
void *f(void *p) {
  x = 1;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 2;
  return 0;
}

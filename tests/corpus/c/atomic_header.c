//# expect: unsafe
// C11 7.17, in one thread.
#include <assert.h>
#include <stdatomic.h>

int main(void) {
  atomic_int a = ATOMIC_VAR_INIT(3);
  _Atomic int b;
  atomic_flag flag = ATOMIC_FLAG_INIT;
  atomic_init(&b, 4);
  assert(atomic_fetch_add(&a, 2) == 3 && atomic_load(&a) == 5);
  int expected = 4;
  assert(atomic_compare_exchange_strong(&b, &expected, 7));
  assert(atomic_load(&b) == 7 && expected == 4);
  assert(!atomic_compare_exchange_strong(&b, &expected, 8));
  assert(b == 7 && expected == 7);
  assert(!atomic_flag_test_and_set(&flag));
  assert(atomic_flag_test_and_set(&flag));
  atomic_flag_clear(&flag);
  assert(atomic_exchange_explicit(&a, 9, memory_order_relaxed) == 5 && a == 9);
  a++;
  assert(a == 10);
  assert(atomic_compare_exchange_weak(&a, &expected, 1) == 0 && expected == 10);
  assert(atomic_compare_exchange_weak(&a, &expected, 1)); // FAILS
  return 0;
}

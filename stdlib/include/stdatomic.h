/* C11 7.17. There is one thread: operations on atomic objects are ordinary ones, by the compiler's built-in functions. */
#ifndef ULT_STDATOMIC_H
#define ULT_STDATOMIC_H

typedef enum {
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
} memory_order;

typedef _Atomic(_Bool) atomic_bool;
typedef _Atomic(char) atomic_char;
typedef _Atomic(signed char) atomic_schar;
typedef _Atomic(unsigned char) atomic_uchar;
typedef _Atomic(short) atomic_short;
typedef _Atomic(unsigned short) atomic_ushort;
typedef _Atomic(int) atomic_int;
typedef _Atomic(unsigned int) atomic_uint;
typedef _Atomic(long) atomic_long;
typedef _Atomic(unsigned long) atomic_ulong;
typedef _Atomic(long long) atomic_llong;
typedef _Atomic(unsigned long long) atomic_ullong;
typedef _Atomic(__SIZE_TYPE__) atomic_size_t;
typedef _Atomic(__PTRDIFF_TYPE__) atomic_ptrdiff_t;
typedef _Atomic(__PTRDIFF_TYPE__) atomic_intptr_t;
typedef _Atomic(__SIZE_TYPE__) atomic_uintptr_t;
typedef _Atomic(long long) atomic_intmax_t;
typedef _Atomic(unsigned long long) atomic_uintmax_t;

typedef struct {
  _Bool ult_set;
} atomic_flag;

#define ATOMIC_FLAG_INIT {0}
#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_BOOL_LOCK_FREE 2
#define ATOMIC_CHAR_LOCK_FREE 2
#define ATOMIC_SHORT_LOCK_FREE 2
#define ATOMIC_INT_LOCK_FREE 2
#define ATOMIC_LONG_LOCK_FREE 2
#define ATOMIC_LLONG_LOCK_FREE 2
#define ATOMIC_POINTER_LOCK_FREE 2

#define kill_dependency(value) (value)
#define atomic_thread_fence(order) __atomic_thread_fence(order)
#define atomic_signal_fence(order) __atomic_signal_fence(order)

#define atomic_init(object, value) __atomic_store_n(object, value, 0)
#define atomic_store(object, value) __atomic_store_n(object, value, 5)
#define atomic_store_explicit(object, value, order) __atomic_store_n(object, value, order)
#define atomic_load(object) __atomic_load_n(object, 5)
#define atomic_load_explicit(object, order) __atomic_load_n(object, order)
#define atomic_exchange(object, value) __atomic_exchange_n(object, value, 5)
#define atomic_exchange_explicit(object, value, order) __atomic_exchange_n(object, value, order)
#define atomic_compare_exchange_strong(object, expected, value) \
  __atomic_compare_exchange_n(object, expected, value, 0, 5, 5)
#define atomic_compare_exchange_strong_explicit(object, expected, value, order, failure) \
  __atomic_compare_exchange_n(object, expected, value, 0, order, failure)
#define atomic_compare_exchange_weak(object, expected, value) \
  __atomic_compare_exchange_n(object, expected, value, 1, 5, 5)
#define atomic_compare_exchange_weak_explicit(object, expected, value, order, failure) \
  __atomic_compare_exchange_n(object, expected, value, 1, order, failure)
#define atomic_fetch_add(object, value) __atomic_fetch_add(object, value, 5)
#define atomic_fetch_add_explicit(object, value, order) __atomic_fetch_add(object, value, order)
#define atomic_fetch_sub(object, value) __atomic_fetch_sub(object, value, 5)
#define atomic_fetch_sub_explicit(object, value, order) __atomic_fetch_sub(object, value, order)
#define atomic_fetch_or(object, value) __atomic_fetch_or(object, value, 5)
#define atomic_fetch_or_explicit(object, value, order) __atomic_fetch_or(object, value, order)
#define atomic_fetch_and(object, value) __atomic_fetch_and(object, value, 5)
#define atomic_fetch_and_explicit(object, value, order) __atomic_fetch_and(object, value, order)
#define atomic_fetch_xor(object, value) __atomic_fetch_xor(object, value, 5)
#define atomic_fetch_xor_explicit(object, value, order) __atomic_fetch_xor(object, value, order)

#define atomic_flag_test_and_set(flag) __atomic_exchange_n(&(flag)->ult_set, 1, 5)
#define atomic_flag_test_and_set_explicit(flag, order) __atomic_exchange_n(&(flag)->ult_set, 1, order)
#define atomic_flag_clear(flag) __atomic_store_n(&(flag)->ult_set, 0, 5)
#define atomic_flag_clear_explicit(flag, order) __atomic_store_n(&(flag)->ult_set, 0, order)

#endif

/* C11 7.2. May be included several times, with and without NDEBUG. What would be printed matters to nobody. */
#include <features.h>
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) \
  ((expression) ? (void)0 : __assert_fail((const char *)0, (const char *)0, __LINE__, (const char *)0))
#endif

#ifndef ULT_ASSERT_H
#define ULT_ASSERT_H

extern void __assert_fail(const char *expression, const char *file, unsigned int line,
                          const char *function) __attribute__((__noreturn__));

#undef static_assert
#define static_assert _Static_assert

#endif

/* C11 7.19 */
#ifndef ULT_STDDEF_H
#define ULT_STDDEF_H

#ifndef ULT_SIZE_T
#define ULT_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
#ifndef NULL
#define NULL ((void *)0)
#endif

typedef __PTRDIFF_TYPE__ ptrdiff_t;
#ifndef ULT_WCHAR_T
#define ULT_WCHAR_T
typedef __WCHAR_TYPE__ wchar_t;
#endif
typedef struct {
  long long ult_integer;
  long double ult_floating;
} max_align_t;

#define offsetof(type, member) __builtin_offsetof(type, member)

#endif

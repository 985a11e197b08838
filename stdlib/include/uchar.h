/* C11 7.28 */
#ifndef ULT_UCHAR_H
#define ULT_UCHAR_H

#include <features.h>

#ifndef ULT_SIZE_T
#define ULT_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
#ifndef ULT_MBSTATE_T
#define ULT_MBSTATE_T
typedef struct {
  int ult_count;
  unsigned int ult_value;
} mbstate_t;
#endif
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;

extern size_t mbrtoc16(char16_t *restrict to, const char *restrict from, size_t count,
                       mbstate_t *restrict state);
extern size_t c16rtomb(char *restrict to, char16_t character, mbstate_t *restrict state);
extern size_t mbrtoc32(char32_t *restrict to, const char *restrict from, size_t count,
                       mbstate_t *restrict state);
extern size_t c32rtomb(char *restrict to, char32_t character, mbstate_t *restrict state);

#endif

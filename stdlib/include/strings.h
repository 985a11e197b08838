/* POSIX */
#ifndef ULT_STRINGS_H
#define ULT_STRINGS_H

#include <features.h>

#ifndef ULT_SIZE_T
#define ULT_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif

extern int bcmp(const void *left, const void *right, size_t count);
extern void bcopy(const void *from, void *to, size_t count);
extern void bzero(void *object, size_t count);
extern char *index(const char *text, int character);
extern char *rindex(const char *text, int character);
extern int ffs(int value);
extern int ffsl(long value);
extern int ffsll(long long value);
extern int strcasecmp(const char *left, const char *right);
extern int strncasecmp(const char *left, const char *right, size_t count);

#endif

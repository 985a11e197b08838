/* C11 7.24 */
#ifndef ULT_STRING_H
#define ULT_STRING_H

#include <features.h>

#ifndef ULT_SIZE_T
#define ULT_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
#ifndef NULL
#define NULL ((void *)0)
#endif

extern void *memcpy(void *restrict to, const void *restrict from, size_t count);
extern void *memmove(void *to, const void *from, size_t count);
extern void *memset(void *object, int value, size_t count);
extern void *memccpy(void *restrict to, const void *restrict from, int last, size_t count);
extern int memcmp(const void *left, const void *right, size_t count);
extern void *memchr(const void *object, int value, size_t count);

extern size_t strlen(const char *text);
extern size_t strnlen(const char *text, size_t limit);
extern char *strcpy(char *restrict to, const char *restrict from);
extern char *strncpy(char *restrict to, const char *restrict from, size_t count);
extern char *stpcpy(char *restrict to, const char *restrict from);
extern char *stpncpy(char *restrict to, const char *restrict from, size_t count);
extern char *strcat(char *restrict to, const char *restrict from);
extern char *strncat(char *restrict to, const char *restrict from, size_t count);
extern int strcmp(const char *left, const char *right);
extern int strncmp(const char *left, const char *right, size_t count);
extern int strcoll(const char *left, const char *right);
extern size_t strxfrm(char *restrict to, const char *restrict from, size_t count);
extern char *strchr(const char *text, int character);
extern char *strrchr(const char *text, int character);
extern size_t strspn(const char *text, const char *accepted);
extern size_t strcspn(const char *text, const char *rejected);
extern char *strpbrk(const char *text, const char *accepted);
extern char *strstr(const char *text, const char *part);
extern char *strtok(char *restrict text, const char *restrict separators);
extern char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest);
extern char *strsep(char **restrict rest, const char *restrict separators);
extern char *strdup(const char *text);
extern char *strndup(const char *text, size_t limit);
extern char *strerror(int number);
extern char *strsignal(int number);
extern void explicit_bzero(void *object, size_t count);
#ifdef _GNU_SOURCE
extern char *strerror_r(int number, char *text, size_t size);
extern void *mempcpy(void *restrict to, const void *restrict from, size_t count);
extern void *memrchr(const void *object, int value, size_t count);
extern void *memmem(const void *object, size_t size, const void *part, size_t count);
extern char *strchrnul(const char *text, int character);
extern char *strcasestr(const char *text, const char *part);
extern int strverscmp(const char *left, const char *right);
#else
extern int strerror_r(int number, char *text, size_t size);
#endif

#endif

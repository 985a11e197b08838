/* C11 7.29: types, limits, and the functions on strings of wide characters. */
#ifndef ULT_WCHAR_H
#define ULT_WCHAR_H

#include <features.h>

#ifndef ULT_SIZE_T
#define ULT_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
#ifndef NULL
#define NULL ((void *)0)
#endif
#ifndef ULT_WCHAR_T
#define ULT_WCHAR_T
typedef __WCHAR_TYPE__ wchar_t;
#endif
#ifndef ULT_WINT_T
#define ULT_WINT_T
typedef __WINT_TYPE__ wint_t;
#endif
#ifndef ULT_MBSTATE_T
#define ULT_MBSTATE_T
typedef struct {
  int ult_count;
  unsigned int ult_value;
} mbstate_t;
#endif

struct _IO_FILE;

#define WEOF (0xffffffffu)
#ifdef __LP64__
#define WCHAR_MAX 0x7fffffff
#define WCHAR_MIN (-0x7fffffff - 1)
#else
#define WCHAR_MAX 0x7fffffffL
#define WCHAR_MIN (-0x7fffffffL - 1)
#endif

extern size_t wcslen(const wchar_t *text);
extern wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from);
extern wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count);
extern wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from);
extern int wcscmp(const wchar_t *left, const wchar_t *right);
extern int wcsncmp(const wchar_t *left, const wchar_t *right, size_t count);
extern wchar_t *wcschr(const wchar_t *text, wchar_t character);
extern wchar_t *wcsrchr(const wchar_t *text, wchar_t character);
extern wchar_t *wcsstr(const wchar_t *text, const wchar_t *part);
extern wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count);
extern wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count);
extern wchar_t *wmemset(wchar_t *to, wchar_t character, size_t count);
extern int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count);
extern wchar_t *wmemchr(const wchar_t *object, wchar_t character, size_t count);
extern wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t count);
extern size_t wcsnlen(const wchar_t *text, size_t limit);
extern wchar_t *wcsdup(const wchar_t *text);
extern int swprintf(wchar_t *restrict to, size_t count, const wchar_t *restrict format, ...);
extern int wprintf(const wchar_t *restrict format, ...);
extern wint_t putwchar(wchar_t character);
extern wint_t getwchar(void);
extern wint_t fgetwc(struct _IO_FILE *stream);
extern wint_t getwc(struct _IO_FILE *stream);
extern wchar_t *fgetws(wchar_t *restrict text, int size, struct _IO_FILE *restrict stream);
extern wint_t fputwc(wchar_t character, struct _IO_FILE *stream);
extern wint_t putwc(wchar_t character, struct _IO_FILE *stream);
extern int fwprintf(struct _IO_FILE *restrict stream, const wchar_t *restrict format, ...);
extern int swscanf(const wchar_t *restrict text, const wchar_t *restrict format, ...);
extern int wscanf(const wchar_t *restrict format, ...);
extern wint_t btowc(int character);
extern int wctob(wint_t character);
extern int mbsinit(const mbstate_t *state);
extern size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t count, mbstate_t *restrict state);
extern size_t wcrtomb(char *restrict to, wchar_t character, mbstate_t *restrict state);

#endif

/* C11 7.30 */
#ifndef ULT_WCTYPE_H
#define ULT_WCTYPE_H

#include <features.h>

#ifndef ULT_WINT_T
#define ULT_WINT_T
typedef __WINT_TYPE__ wint_t;
#endif
typedef unsigned long wctype_t;
typedef const int *wctrans_t;

#define WEOF (0xffffffffu)

extern int iswalnum(wint_t character);
extern int iswalpha(wint_t character);
extern int iswblank(wint_t character);
extern int iswcntrl(wint_t character);
extern int iswdigit(wint_t character);
extern int iswgraph(wint_t character);
extern int iswlower(wint_t character);
extern int iswprint(wint_t character);
extern int iswpunct(wint_t character);
extern int iswspace(wint_t character);
extern int iswupper(wint_t character);
extern int iswxdigit(wint_t character);
extern wint_t towlower(wint_t character);
extern wint_t towupper(wint_t character);
extern wctype_t wctype(const char *name);
extern int iswctype(wint_t character, wctype_t type);
extern wctrans_t wctrans(const char *name);
extern wint_t towctrans(wint_t character, wctrans_t mapping);

#endif

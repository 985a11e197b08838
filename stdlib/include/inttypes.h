/* C11 7.8 */
#ifndef ULT_INTTYPES_H
#define ULT_INTTYPES_H

#include <stdint.h>

#ifdef __LP64__
#define ULT_64 "l"
#define ULT_POINTER "l"
#else
#define ULT_64 "ll"
#define ULT_POINTER ""
#endif

#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 ULT_64 "d"
#define PRIdMAX ULT_64 "d"
#define PRIdPTR ULT_POINTER "d"
#define PRIi8 "i"
#define PRIi16 "i"
#define PRIi32 "i"
#define PRIi64 ULT_64 "i"
#define PRIiMAX ULT_64 "i"
#define PRIiPTR ULT_POINTER "i"
#define PRIo8 "o"
#define PRIo16 "o"
#define PRIo32 "o"
#define PRIo64 ULT_64 "o"
#define PRIoMAX ULT_64 "o"
#define PRIoPTR ULT_POINTER "o"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 ULT_64 "u"
#define PRIuMAX ULT_64 "u"
#define PRIuPTR ULT_POINTER "u"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#define PRIx64 ULT_64 "x"
#define PRIxMAX ULT_64 "x"
#define PRIxPTR ULT_POINTER "x"
#define PRIX8 "X"
#define PRIX16 "X"
#define PRIX32 "X"
#define PRIX64 ULT_64 "X"
#define PRIXMAX ULT_64 "X"
#define PRIXPTR ULT_POINTER "X"
#define SCNd8 "hhd"
#define SCNd16 "hd"
#define SCNd32 "d"
#define SCNd64 ULT_64 "d"
#define SCNdMAX ULT_64 "d"
#define SCNdPTR ULT_POINTER "d"
#define SCNi8 "hhi"
#define SCNi16 "hi"
#define SCNi32 "i"
#define SCNi64 ULT_64 "i"
#define SCNiMAX ULT_64 "i"
#define SCNiPTR ULT_POINTER "i"
#define SCNo8 "hho"
#define SCNo16 "ho"
#define SCNo32 "o"
#define SCNo64 ULT_64 "o"
#define SCNoMAX ULT_64 "o"
#define SCNoPTR ULT_POINTER "o"
#define SCNu8 "hhu"
#define SCNu16 "hu"
#define SCNu32 "u"
#define SCNu64 ULT_64 "u"
#define SCNuMAX ULT_64 "u"
#define SCNuPTR ULT_POINTER "u"
#define SCNx8 "hhx"
#define SCNx16 "hx"
#define SCNx32 "x"
#define SCNx64 ULT_64 "x"
#define SCNxMAX ULT_64 "x"
#define SCNxPTR ULT_POINTER "x"

typedef struct {
  intmax_t quot;
  intmax_t rem;
} imaxdiv_t;

extern intmax_t imaxabs(intmax_t number);
extern imaxdiv_t imaxdiv(intmax_t number, intmax_t divisor);
extern intmax_t strtoimax(const char *text, char **end, int base);
extern uintmax_t strtoumax(const char *text, char **end, int base);

#endif

/* C11 7.8 */
#ifndef ULT_INTTYPES_H
#define ULT_INTTYPES_H

#include <features.h>

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

#define PRIdLEAST8 PRId8
#define PRIdLEAST16 PRId16
#define PRIdLEAST32 PRId32
#define PRIdLEAST64 PRId64
#define PRIdFAST8 "d"
#define PRIdFAST16 ULT_POINTER "d"
#define PRIdFAST32 ULT_POINTER "d"
#define PRIdFAST64 PRId64
#define PRIiLEAST8 PRIi8
#define PRIiLEAST16 PRIi16
#define PRIiLEAST32 PRIi32
#define PRIiLEAST64 PRIi64
#define PRIiFAST8 "i"
#define PRIiFAST16 ULT_POINTER "i"
#define PRIiFAST32 ULT_POINTER "i"
#define PRIiFAST64 PRIi64
#define PRIoLEAST8 PRIo8
#define PRIoLEAST16 PRIo16
#define PRIoLEAST32 PRIo32
#define PRIoLEAST64 PRIo64
#define PRIoFAST8 "o"
#define PRIoFAST16 ULT_POINTER "o"
#define PRIoFAST32 ULT_POINTER "o"
#define PRIoFAST64 PRIo64
#define PRIuLEAST8 PRIu8
#define PRIuLEAST16 PRIu16
#define PRIuLEAST32 PRIu32
#define PRIuLEAST64 PRIu64
#define PRIuFAST8 "u"
#define PRIuFAST16 ULT_POINTER "u"
#define PRIuFAST32 ULT_POINTER "u"
#define PRIuFAST64 PRIu64
#define PRIxLEAST8 PRIx8
#define PRIxLEAST16 PRIx16
#define PRIxLEAST32 PRIx32
#define PRIxLEAST64 PRIx64
#define PRIxFAST8 "x"
#define PRIxFAST16 ULT_POINTER "x"
#define PRIxFAST32 ULT_POINTER "x"
#define PRIxFAST64 PRIx64
#define PRIXLEAST8 PRIX8
#define PRIXLEAST16 PRIX16
#define PRIXLEAST32 PRIX32
#define PRIXLEAST64 PRIX64
#define PRIXFAST8 "X"
#define PRIXFAST16 ULT_POINTER "X"
#define PRIXFAST32 ULT_POINTER "X"
#define PRIXFAST64 PRIX64
#define SCNdLEAST8 SCNd8
#define SCNdLEAST16 SCNd16
#define SCNdLEAST32 SCNd32
#define SCNdLEAST64 SCNd64
#define SCNdFAST8 SCNd8
#define SCNdFAST16 ULT_POINTER "d"
#define SCNdFAST32 ULT_POINTER "d"
#define SCNdFAST64 SCNd64
#define SCNiLEAST8 SCNi8
#define SCNiLEAST16 SCNi16
#define SCNiLEAST32 SCNi32
#define SCNiLEAST64 SCNi64
#define SCNiFAST8 SCNi8
#define SCNiFAST16 ULT_POINTER "i"
#define SCNiFAST32 ULT_POINTER "i"
#define SCNiFAST64 SCNi64
#define SCNoLEAST8 SCNo8
#define SCNoLEAST16 SCNo16
#define SCNoLEAST32 SCNo32
#define SCNoLEAST64 SCNo64
#define SCNoFAST8 SCNo8
#define SCNoFAST16 ULT_POINTER "o"
#define SCNoFAST32 ULT_POINTER "o"
#define SCNoFAST64 SCNo64
#define SCNuLEAST8 SCNu8
#define SCNuLEAST16 SCNu16
#define SCNuLEAST32 SCNu32
#define SCNuLEAST64 SCNu64
#define SCNuFAST8 SCNu8
#define SCNuFAST16 ULT_POINTER "u"
#define SCNuFAST32 ULT_POINTER "u"
#define SCNuFAST64 SCNu64
#define SCNxLEAST8 SCNx8
#define SCNxLEAST16 SCNx16
#define SCNxLEAST32 SCNx32
#define SCNxLEAST64 SCNx64
#define SCNxFAST8 SCNx8
#define SCNxFAST16 ULT_POINTER "x"
#define SCNxFAST32 ULT_POINTER "x"
#define SCNxFAST64 SCNx64

typedef struct {
  intmax_t quot;
  intmax_t rem;
} imaxdiv_t;

extern intmax_t imaxabs(intmax_t number);
extern imaxdiv_t imaxdiv(intmax_t number, intmax_t divisor);
extern intmax_t strtoimax(const char *text, char **end, int base);
extern uintmax_t strtoumax(const char *text, char **end, int base);

#endif

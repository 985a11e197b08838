/* C11 7.21 */
#ifndef ULT_STDIO_H
#define ULT_STDIO_H

#include <features.h>

#ifndef ULT_SIZE_T
#define ULT_SIZE_T
typedef __SIZE_TYPE__ size_t;
#endif
#ifndef ULT_SSIZE_T
#define ULT_SSIZE_T
typedef __PTRDIFF_TYPE__ ssize_t;
#endif
#ifndef NULL
#define NULL ((void *)0)
#endif

#ifndef ULT_OFF_T
#define ULT_OFF_T
typedef long off_t;
#endif

#include <stdarg.h>

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

typedef struct _IO_FILE FILE;
typedef struct {
  long ult_position;
  long ult_state;
} fpos_t;

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

extern int remove(const char *name);
extern int rename(const char *from, const char *to);
extern FILE *tmpfile(void);
extern char *tmpnam(char *name);
extern int fclose(FILE *file);
extern int fflush(FILE *file);
extern FILE *fopen(const char *restrict name, const char *restrict mode);
extern FILE *fdopen(int descriptor, const char *mode);
extern FILE *fmemopen(void *buffer, size_t size, const char *mode);
extern FILE *open_memstream(char **text, size_t *size);
extern FILE *popen(const char *command, const char *mode);
extern int pclose(FILE *file);
extern FILE *freopen(const char *restrict name, const char *restrict mode, FILE *restrict file);
extern void setbuf(FILE *restrict file, char *restrict buffer);
extern int setvbuf(FILE *restrict file, char *restrict buffer, int mode, size_t size);
extern void setbuffer(FILE *restrict file, char *restrict buffer, size_t size);
extern void setlinebuf(FILE *file);

extern int fprintf(FILE *restrict file, const char *restrict format, ...);
extern int dprintf(int descriptor, const char *restrict format, ...);
extern int fscanf(FILE *restrict file, const char *restrict format, ...);
extern int printf(const char *restrict format, ...);
extern int scanf(const char *restrict format, ...);
extern int snprintf(char *restrict text, size_t size, const char *restrict format, ...);
extern int sprintf(char *restrict text, const char *restrict format, ...);
extern int sscanf(const char *restrict text, const char *restrict format, ...);
extern int vfprintf(FILE *restrict file, const char *restrict format, va_list arguments);
extern int vdprintf(int descriptor, const char *restrict format, va_list arguments);
extern int vfscanf(FILE *restrict file, const char *restrict format, va_list arguments);
extern int vprintf(const char *restrict format, va_list arguments);
extern int vscanf(const char *restrict format, va_list arguments);
extern int vsnprintf(char *restrict text, size_t size, const char *restrict format,
                     va_list arguments);
extern int vsprintf(char *restrict text, const char *restrict format, va_list arguments);
extern int vsscanf(const char *restrict text, const char *restrict format, va_list arguments);
#ifdef _GNU_SOURCE
extern int asprintf(char **restrict text, const char *restrict format, ...);
extern int vasprintf(char **restrict text, const char *restrict format, va_list arguments);
#endif

extern int fgetc(FILE *file);
extern char *fgets(char *restrict text, int size, FILE *restrict file);
extern int fputc(int character, FILE *file);
extern int fputs(const char *restrict text, FILE *restrict file);
extern int getc(FILE *file);
extern int getchar(void);
extern int putc(int character, FILE *file);
extern int putchar(int character);
extern int puts(const char *text);
extern int ungetc(int character, FILE *file);
extern int getc_unlocked(FILE *file);
extern int getchar_unlocked(void);
extern int putc_unlocked(int character, FILE *file);
extern int putchar_unlocked(int character);
extern ssize_t getline(char **text, size_t *size, FILE *file);
extern ssize_t getdelim(char **text, size_t *size, int last, FILE *file);
extern size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict file);
extern size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict file);
extern int fgetpos(FILE *restrict file, fpos_t *restrict position);
extern int fsetpos(FILE *file, const fpos_t *position);
extern int fseek(FILE *file, long offset, int origin);
extern long ftell(FILE *file);
extern int fseeko(FILE *file, off_t offset, int origin);
extern off_t ftello(FILE *file);
extern void rewind(FILE *file);
extern void clearerr(FILE *file);
extern int feof(FILE *file);
extern int ferror(FILE *file);
extern int fileno(FILE *file);
extern void flockfile(FILE *file);
extern int ftrylockfile(FILE *file);
extern void funlockfile(FILE *file);
extern void perror(const char *text);

/* The rest of what glibc defines. */
#define L_ctermid 9
#define P_tmpdir "/tmp"

#endif

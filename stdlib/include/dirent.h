/* Parts of POSIX: folders */
#ifndef ULT_DIRENT_H
#define ULT_DIRENT_H

#include <features.h>

#include <sys/types.h>

typedef struct __dirstream DIR;

struct dirent {
  ino_t d_ino;
  off_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
#define d_fileno d_ino

#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12
#define DT_WHT 14
#define IFTODT(mode) (((mode) & 0170000) >> 12)
#define DTTOIF(type) ((type) << 12)

extern DIR *opendir(const char *name);
extern DIR *fdopendir(int descriptor);
extern int closedir(DIR *folder);
extern struct dirent *readdir(DIR *folder);
extern void rewinddir(DIR *folder);
extern long telldir(DIR *folder);
extern void seekdir(DIR *folder, long position);
extern int dirfd(DIR *folder);
extern int scandir(const char *restrict name, struct dirent ***restrict entries,
                   int (*select)(const struct dirent *),
                   int (*compare)(const struct dirent **, const struct dirent **));
extern int alphasort(const struct dirent **left, const struct dirent **right);

/* The rest of what glibc defines. */
#define AIO_PRIO_DELTA_MAX 20
#define DELAYTIMER_MAX 2147483647
#define HOST_NAME_MAX 64
#define LOGIN_NAME_MAX 256
#define MAXNAMLEN 255
#define MAX_CANON 255
#define MAX_INPUT 255
#define MQ_PRIO_MAX 32768
#define NAME_MAX 255
#define NGROUPS_MAX 65536
#define PATH_MAX 4096
#define PIPE_BUF 4096
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define PTHREAD_KEYS_MAX 1024
#define PTHREAD_STACK_MIN 16384
#define RTSIG_MAX 32
#define SEM_VALUE_MAX 2147483647
#define TTY_NAME_MAX 32
#define XATTR_LIST_MAX 65536
#define XATTR_NAME_MAX 255
#define XATTR_SIZE_MAX 65536

#endif

/* POSIX: what is known of a file, without support for large ones */
#ifndef ULT_SYS_STAT_H
#define ULT_SYS_STAT_H

#include <features.h>

#include <sys/types.h>

#ifndef ULT_TIMESPEC
#define ULT_TIMESPEC
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
#endif

struct stat {
#ifdef __LP64__
  dev_t st_dev;
  ino_t st_ino;
  nlink_t st_nlink;
  mode_t st_mode;
  uid_t st_uid;
  gid_t st_gid;
  int ult_before_rdev;
  dev_t st_rdev;
#else
  dev_t st_dev;
  unsigned short ult_before_ino;
  ino_t st_ino;
  mode_t st_mode;
  nlink_t st_nlink;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  unsigned short ult_before_size;
#endif
  off_t st_size;
  blksize_t st_blksize;
  blkcnt_t st_blocks;
  struct timespec st_atim;
  struct timespec st_mtim;
  struct timespec st_ctim;
#ifdef __LP64__
  long ult_reserved[3];
#else
  unsigned long ult_reserved[2];
#endif
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec

#define S_IFMT 0170000
#define S_IFSOCK 0140000
#define S_IFLNK 0120000
#define S_IFREG 0100000
#define S_IFBLK 0060000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFIFO 0010000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRWXU 00700
#define S_IRUSR 00400
#define S_IWUSR 00200
#define S_IXUSR 00100
#define S_IRWXG 00070
#define S_IRGRP 00040
#define S_IWGRP 00020
#define S_IXGRP 00010
#define S_IRWXO 00007
#define S_IROTH 00004
#define S_IWOTH 00002
#define S_IXOTH 00001

#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)

extern int stat(const char *restrict name, struct stat *restrict result);
extern int fstat(int descriptor, struct stat *result);
extern int lstat(const char *restrict name, struct stat *restrict result);
extern int fstatat(int folder, const char *restrict name, struct stat *restrict result, int flags);
extern int chmod(const char *name, mode_t mode);
extern int fchmod(int descriptor, mode_t mode);
extern int fchmodat(int folder, const char *name, mode_t mode, int flags);
extern mode_t umask(mode_t mask);
extern int mkdir(const char *name, mode_t mode);
extern int mkdirat(int folder, const char *name, mode_t mode);
extern int mkfifo(const char *name, mode_t mode);
extern int mkfifoat(int folder, const char *name, mode_t mode);
extern int mknod(const char *name, mode_t mode, dev_t device);
extern int mknodat(int folder, const char *name, mode_t mode, dev_t device);
extern int utimensat(int folder, const char *name, const struct timespec times[2], int flags);
extern int futimens(int descriptor, const struct timespec times[2]);

/* The rest of what glibc defines. */
#define ACCESSPERMS 0777
#define ALLPERMS 07777
#define DEFFILEMODE 0666
#define S_BLKSIZE 512
#define S_IEXEC 00100
#define S_IREAD 00400
#define S_IWRITE 00200
#define UTIME_NOW ((1L << 30) - 1L)
#define UTIME_OMIT ((1L << 30) - 2L)

#endif

/* POSIX, with the numbers of Linux */
#ifndef ULT_FCNTL_H
#define ULT_FCNTL_H

#include <features.h>

#include <sys/types.h>

#define O_RDONLY 00
#define O_WRONLY 01
#define O_RDWR 02
#define O_ACCMODE 0003
#define O_CREAT 0100
#define O_EXCL 0200
#define O_NOCTTY 0400
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_NDELAY 04000
#define O_DSYNC 010000
#define O_ASYNC 020000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_CLOEXEC 02000000
#define O_SYNC 04010000
#define O_FSYNC 04010000
#define O_RSYNC 04010000
#ifdef _GNU_SOURCE
#define O_DIRECT 040000
#ifdef __LP64__
#define O_LARGEFILE 0
#else
#define O_LARGEFILE 0100000
#endif
#define O_NOATIME 01000000
#define O_PATH 010000000
#define O_TMPFILE 020200000
#endif

#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define F_SETOWN 8
#define F_GETOWN 9
#define F_DUPFD_CLOEXEC 1030
#define FD_CLOEXEC 1
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2

struct flock {
  short l_type;
  short l_whence;
  off_t l_start;
  off_t l_len;
  pid_t l_pid;
};

extern int open(const char *name, int flags, ...);
extern int openat(int folder, const char *name, int flags, ...);
extern int creat(const char *name, mode_t mode);
extern int fcntl(int descriptor, int command, ...);
extern int posix_fadvise(int descriptor, off_t offset, off_t size, int advice);
extern int posix_fallocate(int descriptor, off_t offset, off_t size);

/* These are in sys/stat.h, too. */
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
#define UTIME_NOW ((1L << 30) - 1L)
#define UTIME_OMIT ((1L << 30) - 2L)

/* The rest of what glibc defines. */
#define AT_EACCESS 0x200
#define AT_FDCWD (-100)
#define AT_REMOVEDIR 0x200
#define AT_SYMLINK_FOLLOW 0x400
#define AT_SYMLINK_NOFOLLOW 0x100
#define FAPPEND 02000
#define FASYNC 020000
#define FFSYNC 04010000
#define FNDELAY 04000
#define FNONBLOCK 04000
#define F_EXLCK 4
#ifdef __LP64__
#define F_GETLK64 5
#define F_SETLK64 6
#define F_SETLKW64 7
#else
#define F_GETLK64 12
#define F_SETLK64 13
#define F_SETLKW64 14
#endif
#define F_LOCK 1
#define F_OK 0
#define F_SHLCK 8
#define F_TEST 3
#define F_TLOCK 2
#define F_ULOCK 0
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_SH 1
#define LOCK_UN 8
#define POSIX_FADV_DONTNEED 4
#define POSIX_FADV_NOREUSE 5
#define POSIX_FADV_NORMAL 0
#define POSIX_FADV_RANDOM 1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED 3
#define R_OK 4
#define SEEK_CUR 1
#define SEEK_END 2
#define SEEK_SET 0
#define W_OK 2
#define X_OK 1

#endif

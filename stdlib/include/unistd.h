/* Parts of POSIX */
#ifndef ULT_UNISTD_H
#define ULT_UNISTD_H

#include <features.h>

#include <stddef.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

#ifndef ULT_INTPTR_T
#define ULT_INTPTR_T
typedef __PTRDIFF_TYPE__ intptr_t;
#endif

extern unsigned int sleep(unsigned int seconds);
extern int usleep(useconds_t microseconds);
extern ssize_t read(int descriptor, void *to, size_t count);
extern ssize_t write(int descriptor, const void *from, size_t count);
extern ssize_t pread(int descriptor, void *to, size_t count, off_t offset);
extern ssize_t pwrite(int descriptor, const void *from, size_t count, off_t offset);
extern off_t lseek(int descriptor, off_t offset, int origin);
extern int close(int descriptor);
extern int dup(int descriptor);
extern int dup2(int descriptor, int wanted);
extern int pipe(int ends[2]);
extern int fsync(int descriptor);
extern int fdatasync(int descriptor);
extern void sync(void);
extern int ftruncate(int descriptor, off_t size);
extern int lockf(int descriptor, int command, off_t size);
extern int isatty(int descriptor);
extern char *ttyname(int descriptor);

extern int access(const char *name, int mode);
extern int faccessat(int folder, const char *name, int mode, int flags);
extern int unlink(const char *name);
extern int unlinkat(int folder, const char *name, int flags);
extern int rmdir(const char *name);
extern int link(const char *from, const char *to);
extern int symlink(const char *from, const char *to);
extern ssize_t readlink(const char *restrict name, char *restrict text, size_t size);
extern int truncate(const char *name, off_t size);
extern int chown(const char *name, uid_t owner, gid_t group);
extern int fchown(int descriptor, uid_t owner, gid_t group);
extern int lchown(const char *name, uid_t owner, gid_t group);
extern int chdir(const char *name);
extern int fchdir(int descriptor);
extern int chroot(const char *name);
extern char *getcwd(char *text, size_t size);

extern pid_t fork(void);
extern pid_t vfork(void);
extern int execl(const char *name, const char *word, ...);
extern int execle(const char *name, const char *word, ...);
extern int execlp(const char *name, const char *word, ...);
extern int execv(const char *name, char *const words[]);
extern int execve(const char *name, char *const words[], char *const variables[]);
extern int execvp(const char *name, char *const words[]);
extern void _exit(int status) __attribute__((__noreturn__));
extern unsigned int alarm(unsigned int seconds);
extern int pause(void);
extern int nice(int change);
extern int daemon(int same_folder, int same_files);

extern pid_t getpid(void);
extern pid_t getppid(void);
extern pid_t getpgrp(void);
extern pid_t getpgid(pid_t process);
extern int setpgid(pid_t process, pid_t group);
extern pid_t getsid(pid_t process);
extern pid_t setsid(void);
extern pid_t tcgetpgrp(int descriptor);
extern int tcsetpgrp(int descriptor, pid_t group);
extern uid_t getuid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern gid_t getegid(void);
extern int setuid(uid_t user);
extern int seteuid(uid_t user);
extern int setreuid(uid_t real, uid_t effective);
extern int setgid(gid_t group);
extern int setegid(gid_t group);
extern int setregid(gid_t real, gid_t effective);
extern int getgroups(int count, gid_t groups[]);
extern char *getlogin(void);
extern int gethostname(char *name, size_t size);

extern long sysconf(int name);
extern long pathconf(const char *file, int name);
extern long fpathconf(int descriptor, int name);
extern int getpagesize(void);
extern int getdtablesize(void);
extern int brk(void *end);
extern void *sbrk(intptr_t change);
extern long syscall(long number, ...);

#ifndef ULT_GETOPT
#define ULT_GETOPT
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
extern int getopt(int count, char *const words[], const char *letters);
#endif

#ifdef _GNU_SOURCE
extern char **environ;
extern int dup3(int descriptor, int wanted, int flags);
extern int pipe2(int ends[2], int flags);
extern int execvpe(const char *name, char *const words[], char *const variables[]);
extern char *get_current_dir_name(void);
extern pid_t gettid(void);
#endif

#define _PC_LINK_MAX 0
#define _PC_NAME_MAX 3
#define _PC_PATH_MAX 4
#define _PC_PIPE_BUF 5
#define _SC_ARG_MAX 0
#define _SC_CHILD_MAX 1
#define _SC_CLK_TCK 2
#define _SC_NGROUPS_MAX 3
#define _SC_OPEN_MAX 4
#define _SC_STREAM_MAX 5
#define _SC_VERSION 29
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_LINE_MAX 43
#define _SC_IOV_MAX 60
#define _SC_LOGIN_NAME_MAX 71
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _SC_HOST_NAME_MAX 180

/* The rest of what glibc defines. */
#define F_LOCK 1
#define F_OK 0
#define F_TEST 3
#define F_TLOCK 2
#define F_ULOCK 0
#define L_INCR 1
#define L_SET 0
#define L_XTND 2
#define R_OK 4
#define SEEK_CUR 1
#define SEEK_END 2
#define SEEK_SET 0
#define W_OK 2
#define X_OK 1

#endif

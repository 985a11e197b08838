/* Parts of POSIX */
#ifndef ULT_UNISTD_H
#define ULT_UNISTD_H

#include <features.h>

#include <stddef.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

extern unsigned int sleep(unsigned int seconds);
extern int usleep(useconds_t microseconds);
extern ssize_t read(int descriptor, void *to, size_t count);
extern ssize_t write(int descriptor, const void *from, size_t count);
extern int close(int descriptor);
extern pid_t getpid(void);
extern pid_t fork(void);
extern void _exit(int status) __attribute__((__noreturn__));

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

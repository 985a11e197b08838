/* Parts of POSIX */
#ifndef ULT_UNISTD_H
#define ULT_UNISTD_H

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

#endif

/* Parts of POSIX: how processes end */
#ifndef ULT_SYS_WAIT_H
#define ULT_SYS_WAIT_H

#include <features.h>

#include <signal.h>
#include <sys/types.h>

#define WNOHANG 1
#define WUNTRACED 2
#define WCONTINUED 8

#define WEXITSTATUS(status) (((status) & 0xff00) >> 8)
#define WTERMSIG(status) ((status) & 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (((signed char)(((status) & 0x7f) + 1) >> 1) > 0)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)
#define WIFCONTINUED(status) ((status) == 0xffff)
#define WCOREDUMP(status) ((status) & 0x80)

struct rusage;

extern pid_t wait(int *status);
extern pid_t waitpid(pid_t process, int *status, int options);
extern pid_t wait3(int *status, int options, struct rusage *used);
extern pid_t wait4(pid_t process, int *status, int options, struct rusage *used);

/* The rest of what glibc defines. */
#define WAIT_ANY (-1)
#define WAIT_MYPGRP 0
#define WCOREFLAG 0x80
#define WEXITED 4
#define WNOWAIT 0x01000000
#define WSTOPPED 2
#define W_EXITCODE(status, number) ((status) << 8 | (number))
#define W_STOPCODE(number) ((number) << 8 | 0x7f)

#endif

/* C11 7.14 and parts of POSIX, with the numbers of Linux. Handlers run at any time: that is not covered. */
#ifndef ULT_SIGNAL_H
#define ULT_SIGNAL_H

#include <sys/types.h>

typedef int sig_atomic_t;

#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17

extern void (*signal(int number, void (*handler)(int)))(int);
extern int raise(int number);
extern int kill(pid_t process, int number);

#endif

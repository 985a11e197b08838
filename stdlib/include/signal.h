/* C11 7.14 and parts of POSIX, with the numbers of Linux. Handlers run at any time: that is not covered. */
#ifndef ULT_SIGNAL_H
#define ULT_SIGNAL_H

#include <features.h>

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

/* The rest of what glibc defines. */
#define SIG_BLOCK 0
#define SA_NOCLDSTOP 1
#define SIG_UNBLOCK 1
#define SA_NOCLDWAIT 2
#define SIG_SETMASK 2
#define SA_SIGINFO 4
#define SIGIOT 6
#define SIGSTKFLT 16
#define SIGCLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL 29
#define SIGPWR 30
#define SIGSYS 31
#define NSIG (64 + 1)
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192
#define SA_ONSTACK 0x08000000
#define SA_STACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_INTERRUPT 0x20000000
#define SA_NODEFER 0x40000000
#define SA_NOMASK 0x40000000
#define SA_ONESHOT 0x80000000
#define SA_RESETHAND 0x80000000

#endif

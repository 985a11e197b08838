/* Parts of POSIX: descriptors that can be read or written */
#ifndef ULT_POLL_H
#define ULT_POLL_H

#include <features.h>

typedef unsigned long nfds_t;

struct pollfd {
  int fd;
  short events;
  short revents;
};

#define POLLIN 0x001
#define POLLPRI 0x002
#define POLLOUT 0x004
#define POLLERR 0x008
#define POLLHUP 0x010
#define POLLNVAL 0x020

extern int poll(struct pollfd *descriptors, nfds_t count, int milliseconds);

/* The rest of what glibc defines. */
#define POLLRDBAND 0x080
#define POLLRDNORM 0x040
#define POLLWRBAND 0x200
#define POLLWRNORM 0x100

#endif

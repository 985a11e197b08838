/* <errno.h>: errors (C11 7.5). At the start it is zero; functions of the library never set it to zero. */

int errno;

/* What the macro of glibc's header calls. */
int *__errno_location(void) {
  return &errno;
}

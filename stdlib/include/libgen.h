/* Parts of POSIX: the parts of a path */
#ifndef ULT_LIBGEN_H
#define ULT_LIBGEN_H

#include <features.h>

extern char *dirname(char *path);
extern char *basename(char *path);

#endif

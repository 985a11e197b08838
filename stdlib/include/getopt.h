/* Options of the command line, as glibc has them */
#ifndef ULT_GETOPT_H
#define ULT_GETOPT_H

#include <features.h>

#define no_argument 0
#define required_argument 1
#define optional_argument 2

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

#ifndef ULT_GETOPT
#define ULT_GETOPT
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
extern int getopt(int count, char *const words[], const char *letters);
#endif
extern int getopt_long(int count, char *const words[], const char *letters, const struct option *names,
                       int *index);
extern int getopt_long_only(int count, char *const words[], const char *letters, const struct option *names,
                            int *index);

#endif

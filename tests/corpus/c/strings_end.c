//# flags: --property valid-deref expect: safe
//# expect: safe
// A string ends at its zero, wherever that is: who goes on to it stays within the array.
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  char line[4000], filled[5000];
  line[3999] = 0;
  if (fgets(line, sizeof line, stdin) == NULL) line[0] = 'x';
  puts(line);
  filled[4999] = 0;
  for (int i = 0; i < 4999; i++) filled[i] = (char)__VERIFIER_nondet_int();
  int spaces = 0;
  for (int i = 0; filled[i]; i++)
    if (filled[i] == ' ') spaces++;
  return strlen(filled) > 5 && spaces > 2;
}

//# expect: unsafe
#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char text[3] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), 0};
  unsigned long length = strlen(text);
  assert(length <= 2);
  char *found = strchr(text, 'a');
  if (found) assert(*found == 'a' && length > 0);
  char copy[4];
  strcpy(copy, text);
  assert(copy[length] == 0);
  assert(strcmp(copy, "ab") != 0); // FAILS
  return 0;
}

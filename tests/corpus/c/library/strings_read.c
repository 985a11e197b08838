//# expect: safe
//# flags: --property undefined expect: safe
//# flags: --property valid-memsafety expect: safe
// What is printed as a string is read up to its end.
#include <assert.h>
#include <stdio.h>

struct person { char name[6]; int age; };

int main(int argc, char **argv) {
  char text[4] = "ab";
  struct person p = {"Eve", 3}, *q = &p;
  const char *which = argc > 1 ? text : "none";
  printf("%s %d %s\n", text, p.age, q->name);
  fprintf(stderr, "%5d%%: %s\n", 7, which);
  puts(text);
  fputs(which, stdout);
  assert(p.age == 3);
  return 0;
}

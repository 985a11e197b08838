//# expect: safe
#include <assert.h>
#include <string.h>

int main(void) {
  char text[4] = "a";
  strcat(text, "b");
  assert(strstr(text, "b") == text + 1);
  return 0;
}

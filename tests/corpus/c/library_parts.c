//# expect: safe
#include <assert.h>
#include <string.h>

int main(void) {
  char text[8] = "ab";
  strcat(text, "ca");
  assert(strrchr(text, 'a') == text + 3);
  assert(strstr(text, "bc") == text + 1);
  return 0;
}

//# expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
  char word[4] = "", digits[3] = "";
  if (scanf("%2s", word) == 1) {
    assert(word[0] != ' ' && word[0] != '\n' && word[0] != '\t');
    assert(word[2] == 0);
  }
  assert(word[3] == 0);
  if (scanf(" %1[0-9]", digits) == 1)
    assert(digits[0] >= '0' && digits[0] <= '9' && digits[1] == 0);
  return 0;
}

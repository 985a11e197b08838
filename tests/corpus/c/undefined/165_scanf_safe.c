//# expect: safe
//# flags: --property valid-format expect: safe
// C11 7.21.6.2: What is read fits its object.
#include <stdio.h>
int main(void) {
  short s;
  long l;
  float f;
  double d;
  char word[8], c;
  scanf("%hd %ld %*d", &s, &l);
  scanf("%f %lf", &f, &d);
  scanf("%7s %c", word, &c);
  return 0;
}

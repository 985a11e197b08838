//# expect: safe
// Comments around directives, and directives that go on in a comment.
/* first */ #include <assert.h>
#define SIZE /* in
   bytes */ 4 // four
/* a */ /* b */ # /* c */ if /* d */ SIZE == 4 /* e
*/
#define RIGHT 1
#else
#define RIGHT 0
#endif
int main(void) {
  int right = RIGHT;
  assert(right && SIZE == 4);
}

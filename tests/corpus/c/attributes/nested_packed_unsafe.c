//# expect: unsafe
// The same with the padding that the attribute takes away.
#include <assert.h>
int main(void) {
  struct outer {
    struct {
      char kind;
      long long stamp;
    } __attribute__((packed, aligned(2))) head;
    char tail;
  };
  assert(sizeof(struct outer) == 24); // FAILS
}

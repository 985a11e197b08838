//# expect: safe
// Attributes behind the members of a type that is declared within another one.
#include <assert.h>
union message {
  struct {
    unsigned char tag;
    unsigned int value;
  } __attribute__((packed));
  unsigned char bytes[8];
};

int main(void) {
  union message m = {.bytes = {1, 2, 0, 0, 0, 9, 9, 9}};
  assert(m.tag == 1 && m.value == 2);
}

//# expect: unsafe
// A member's type in a parameter's type, and an assertion about its place.
#include <assert.h>
#include <stddef.h>
struct packet {
  char version;
  union {
    struct { char length; long long body; } __attribute__((packed)) first;
    int second;
  } __attribute__((aligned(4))) data;
};
static unsigned long place(struct packet *p) { return (char *)&p->data.first.body - (char *)p; }
int main(void) {
  struct packet p;
  assert(place(&p) == 5);
  assert(offsetof(struct packet, data.first.body) == 12); // FAILS
}

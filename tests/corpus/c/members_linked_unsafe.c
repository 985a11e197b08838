//# expect: unsafe
// The same with a wrong claim.
#include <assert.h>
#include <stddef.h>
struct link { struct link *next; };
struct entry { int number; struct link link; int other; };

int main(void) {
  struct entry a = {1, {0}, 2}, b = {3, {0}, 4};
  a.link.next = &b.link;
  struct entry *found = (struct entry *)((char *)a.link.next - offsetof(struct entry, link));
  found->other = 9;
  assert(b.other == 4 && b.number == 3 && a.other == 2); // FAILS
}

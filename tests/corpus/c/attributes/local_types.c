//# expect: safe
// Attributes of types in functions, in type names, and of enumerations.
#include <assert.h>
struct wide { int a; struct { char c; } __attribute__((aligned(16))) b; enum { P, Q } __attribute__((packed)) e; };
static int local(void) {
  enum small { A, B = 200 } __attribute__((packed));
  struct pair { char c; short s; } __attribute__((__packed__));
  ;
  struct line { char c; } __attribute__((aligned(32)));
  return sizeof(enum small) * 10000 + sizeof(struct pair) * 100 + sizeof(struct line);
}
int main(void) {
  assert(local() == 10332);
  assert(sizeof(struct wide) == 48);
  assert(_Alignof(struct { int x; } __attribute__((aligned(64)))) == 64);
  typedef struct { char c; int i; } __attribute__((packed)) tight;
  struct { char before; tight inner; } both;
  assert(sizeof both == 6);
}

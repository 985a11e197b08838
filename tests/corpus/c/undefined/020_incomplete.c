//# expect: safe
// C11 6.3.2.1: The value of an object with incomplete type.
struct s;
extern struct s x;
int main(void) {
  x;
  return 0;
}

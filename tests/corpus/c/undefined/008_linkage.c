//# expect: safe
// C11 6.2.2: One name with internal and external linkage.
static int f(void);
extern int g;
static int g;
int main(void) {
  return g;
}

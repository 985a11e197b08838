//# expect: safe
//# flags: --property valid-deref expect: unsafe 14
// The room of a flexible array member ends with its last element: what rounds up the size of a structure is not there.
struct Text {
  int n;
  char d[];
};

static struct Text text = {3, {1, 2, 0}};

int main(void) {
  char *bytes = (char *)&text;
  int sum = bytes[6];
  return sum + bytes[7]; // FAILS
}

//# expect: safe
//# flags: --property valid-deref expect: unknown(unsupported)
// What a function without a body gives may be an argument, or not: nobody knows its bounds.
extern char *name(void);

int main(int argc, char **argv) {
  char *text = name();
  if (argc > 1)
    text = argv[1];
  return text != 0 && text[0] == 'a' && text[1] == 'b';
}

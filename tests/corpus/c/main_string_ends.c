//# expect: safe
//# flags: --property valid-memsafety expect: unsafe 8
// Behind its end, a string has no characters.

int main(int argc, char *argv[]) {
  if (argc != 3 || argv[2][0] == 0)
    return 0;
  return argv[2][2];
}

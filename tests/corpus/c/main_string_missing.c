//# expect: safe
//# flags: --property valid-memsafety expect: unsafe 6
// There may be no arguments.

int main(int argc, char **argv) {
  return argv[1][0] == 'x';
}

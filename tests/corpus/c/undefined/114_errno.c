//# expect: safe
// C11 7.5: The program defines errno.
int errno;
int main(void) {
  return errno;
}

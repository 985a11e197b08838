//# expect: rejected(E0603 3)
int main(void) {
  return missing;
}

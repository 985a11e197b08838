//# expect: rejected(E0503 3)
int main(void) {
  return missing;
}

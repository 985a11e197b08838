//# expect: safe
// C11 6.7.5: Two declarations with different alignments.
_Alignas(8) int x;
_Alignas(16) int x;
int main(void) {
  return x;
}

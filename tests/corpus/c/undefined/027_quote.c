//# expect: rejected(E0003 4) rejected(E0601 5)
// C11 6.4: A quotation mark without its partner.
int main(void) {
  return '1;
}

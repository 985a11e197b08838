/* Functions of verification tasks. */

/* The bytes of an object become arbitrary. */
void __VERIFIER_nondet_memory(void *object, __ult_size size) {
  unsigned char *bytes = object;
  __ult_size i;
  for (i = 0; i < size; i++)
    bytes[i] = (unsigned char)__ult_any_int();
}

/* The same for arrays of integers. */
void __ult_nondet_integers(void *object, __ult_size size) {
  __ult_element *elements = object;
  __ult_size i;
  if (size % sizeof(__ult_element) != 0) {
    __ult_in_part();
    elements[size / sizeof(__ult_element)] = (__ult_element)__ult_any_long_long();
  }
  for (i = 0; i < size / sizeof(__ult_element); i++)
    elements[i] = (__ult_element)__ult_any_long_long();
}

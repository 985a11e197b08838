/* <stdio.h> and <unistd.h>: input (C11 7.21). What comes from outside is arbitrary. */

/* 7.21.7.6 */
int getchar(void) {
  return __ult_input();
}

/* 7.21.7.5 */
int getc(void *stream) {
  return __ult_input();
}

/* 7.21.7.1 */
int fgetc(void *stream) {
  return __ult_input();
}

/* 7.21.7.2: after an error the contents of the array are arbitrary, at the end of the file they are as before. */
char *fgets(char *restrict text, int size, void *restrict stream) {
  int i = 0;
  int byte;
  if (size < 1)
    __ult_unsupported("fgets with no room");
  while (i < size - 1) {
    byte = __ult_input();
    if (byte == -1)
      break;
    text[i] = (char)byte;
    i++;
    if (byte == '\n')
      break;
  }
  if (i == 0 && size > 1)
    return 0;
  if (__ult_any_int()) {
    text[i] = (char)__ult_any_int();
    return 0;
  }
  text[i] = 0;
  return text;
}

/* POSIX: any bytes, fewer than `size` ones, or an error. */
__ult_difference read(int file, void *buffer, __ult_size size) {
  unsigned char *bytes = buffer;
  __ult_size count = __ult_any_size();
  __ult_size i;
  __ult_assume(count <= size);
  for (i = 0; i < count; i++)
    bytes[i] = (unsigned char)__ult_any_int();
  if (__ult_any_int())
    return -1;
  return (__ult_difference)count;
}

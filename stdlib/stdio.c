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

/* C99 7.19.7.7: as fgets, but for any number of characters, and without the end of the line. */
char *gets(char *text) {
  __ult_size i = 0;
  int byte = __ult_input();
  if (byte == -1)
    return 0;
  while (byte != -1 && byte != '\n') {
    text[i] = (char)byte;
    i++;
    byte = __ult_input();
  }
  text[i] = 0;
  if (__ult_any_int())
    return 0;
  return text;
}

/* 7.21.8.1: what an element contains of which only a part was read is arbitrary. */
__ult_size fread(void *restrict buffer, __ult_size size, __ult_size count, void *restrict stream) {
  unsigned char *bytes = buffer;
  __ult_size whole = __ult_any_size();
  __ult_size rest = 0;
  __ult_size i;
  __ult_may_fail();
  if (size == 0 || count == 0)
    return 0;
  __ult_assume(whole <= count);
  if (whole < count) {
    rest = __ult_any_size();
    __ult_assume(rest < size);
  }
  for (i = 0; i < whole * size + rest; i++)
    bytes[i] = (unsigned char)__ult_any_int();
  return whole;
}

/* 7.21.5.4: the stream itself, or null. */
void *freopen(const char *restrict name, const char *restrict mode, void *restrict stream) {
  __ult_reads_strings();
  __ult_may_fail();
  return __ult_any_int() ? stream : 0;
}

/* 7.21.5.5 */
void setbuf(void *restrict stream, char *restrict buffer) {
  if (buffer != 0)
    __ult_unsupported("setbuf with a buffer");
}

/* 7.21.5.6 */
int setvbuf(void *restrict stream, char *restrict buffer, int mode, __ult_size size) {
  if (buffer != 0)
    __ult_unsupported("setvbuf with a buffer");
  __ult_may_fail();
  return __ult_any_int();
}

/* 7.21.6: what the calls of sprintf and the like come to, with a format that is known. Which characters they are, is not
 * modelled: at most `longest` ones, of which the last is behind `size - 1` others at most. Without an error there is a zero
 * behind. */
int __ult_print(char *text, __ult_size size, int longest, int strings) {
  int length = __ult_any_int();
  __ult_size written = __ult_any_size();
  __ult_size i;
  __ult_approximated();
  if (strings)
    __ult_reads_strings();
  __ult_may_fail();
  __ult_assume(length <= longest);
  if (size == 0)
    return length;
  __ult_assume(written < size);
  if (length >= 0)
    __ult_assume((__ult_size)length < size ? written == (__ult_size)length : written == size - 1);
  else
    __ult_assume(written <= (__ult_size)longest);
  for (i = 0; i < written; i++)
    text[i] = (char)__ult_any_int();
  if (length >= 0 || __ult_any_int())
    text[written] = 0;
  return length;
}

/* 7.29.2.3: what the calls of swprintf and the like come to, in the same way: what does not fit is an error. */
int __ult_print_wide(__ult_element *text, __ult_size size, int longest, int strings) {
  int length = __ult_any_int();
  __ult_size written = __ult_any_size();
  __ult_size i;
  __ult_approximated();
  if (strings)
    __ult_reads_strings();
  __ult_may_fail();
  __ult_assume(length <= longest);
  if (size == 0) {
    __ult_assume(length < 0);
    return length;
  }
  __ult_assume(written < size && written <= (__ult_size)longest);
  if (length >= 0)
    __ult_assume(written == (__ult_size)length);
  for (i = 0; i < written; i++)
    text[i] = (__ult_element)__ult_any_int();
  if (length >= 0 || __ult_any_int())
    text[written] = 0;
  return length;
}

/* 7.21.6.2: the characters that a conversion stores, `most` at most, with a zero behind. */
void __ult_scan_text(char *text, __ult_size most) {
  __ult_size length = __ult_any_size();
  __ult_size i;
  __ult_assume(length >= 1 && length <= most);
  for (i = 0; i < length; i++) {
    text[i] = (char)__ult_any_int();
    __ult_assume(text[i] != 0);
  }
  text[length] = 0;
}

/* POSIX: any bytes, fewer than `size` ones, or an error. */
__ult_difference read(int file, void *buffer, __ult_size size) {
  unsigned char *bytes = buffer;
  __ult_size count = __ult_any_size();
  __ult_size i;
  __ult_assume(count <= size);
  for (i = 0; i < count; i++)
    bytes[i] = (unsigned char)__ult_any_int();
  __ult_may_fail();
  if (__ult_any_int())
    return -1;
  return (__ult_difference)count;
}

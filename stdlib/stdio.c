/* <stdio.h> and <unistd.h>: input (C11 7.21). What comes from outside is arbitrary. */

/* What is known of a stream (null: standard input), zero at the start: whether the indicators for the end of the file and for
 * errors are set, the character that was pushed back, plus one, and whether something may stand at its start that a
 * conversion left there: 1 for what cannot go on with the last one, 2 for what could not be converted. */
extern int __ult_kept_ended(const void *stream);
extern int __ult_kept_failed(const void *stream);
extern int __ult_kept_pushed(const void *stream);
extern int __ult_kept_unread(const void *stream);
extern void __ult_keep_ended(const void *stream, int value);
extern void __ult_keep_failed(const void *stream, int value);
extern void __ult_keep_pushed(const void *stream, int value);
extern void __ult_keep_unread(const void *stream, int value);

/* A function uses a stream: it is not null. */
extern void __ult_uses(const void *stream);

/* There is no more input: one of the indicators gets set. */
static void __ult_no_input(const void *stream) {
  if (__ult_any_int())
    __ult_keep_ended(stream, 1);
  else
    __ult_keep_failed(stream, 1);
  __ult_keep_unread(stream, 0);
}

/* The next byte of a stream, or EOF (7.21.7.1). It is EOF again at the end of the file; after an error, there may be more,
 * but nobody relies on it. */
static int __ult_input(const void *stream) {
  int byte = __ult_kept_pushed(stream);
  __ult_may_fail();
  if (byte != 0) {
    __ult_keep_pushed(stream, 0);
    return byte - 1;
  }
  if (__ult_kept_ended(stream))
    return -1;
  byte = __ult_any_int();
  __ult_assume(byte >= -1 && byte <= 255);
  if (byte == -1) {
    __ult_no_input(stream);
    return -1;
  }
  if (__ult_kept_failed(stream) || __ult_kept_unread(stream))
    __ult_approximated();
  __ult_keep_unread(stream, 0);
  return byte;
}

/* 7.21.7.6 */
int getchar(void) {
  return __ult_input(0);
}

/* 7.21.7.5 */
int getc(void *stream) {
  __ult_uses(stream);
  return __ult_input(stream);
}

/* 7.21.7.1 */
int fgetc(void *stream) {
  __ult_uses(stream);
  return __ult_input(stream);
}

/* 7.21.7.10: for one character there is always room. */
int ungetc(int character, void *stream) {
  __ult_uses(stream);
  if (character == -1)
    return -1;
  if (__ult_kept_pushed(stream) != 0) {
    if (__ult_any_int())
      return -1;
    __ult_unsupported("more than one character that is pushed back");
  }
  __ult_keep_pushed(stream, (unsigned char)character + 1);
  __ult_keep_ended(stream, 0);
  return (unsigned char)character;
}

/* 7.21.10.2 */
int feof(void *stream) {
  __ult_uses(stream);
  return __ult_kept_ended(stream) ? __ult_yes(13, 0) : 0;
}

/* 7.21.10.3: output may have failed as well. */
int ferror(void *stream) {
  __ult_uses(stream);
  if (!__ult_kept_failed(stream) && __ult_any_int()) {
    __ult_approximated();
    __ult_keep_failed(stream, 1);
  }
  return __ult_kept_failed(stream) ? __ult_yes(14, 0) : 0;
}

/* 7.21.10.1 */
void clearerr(void *stream) {
  __ult_uses(stream);
  __ult_keep_ended(stream, 0);
  __ult_keep_failed(stream, 0);
}

/* Another place of the file is the next one. */
static void __ult_go_elsewhere(void *stream) {
  __ult_keep_ended(stream, 0);
  __ult_keep_pushed(stream, 0);
  __ult_keep_unread(stream, 0);
}

/* 7.21.9.2 */
int fseek(void *stream, long offset, int origin) {
  int result = __ult_any_int();
  __ult_uses(stream);
  __ult_may_fail();
  if (result == 0)
    __ult_go_elsewhere(stream);
  return result;
}

/* 7.21.9.5 */
void rewind(void *stream) {
  __ult_uses(stream);
  __ult_may_fail();
  __ult_go_elsewhere(stream);
  __ult_keep_failed(stream, 0);
}

/* 7.21.7.2: after an error the contents of the array are arbitrary, at the end of the file they are as before. */
char *fgets(char *restrict text, int size, void *restrict stream) {
  int i = 0;
  int byte;
  __ult_uses(stream);
  if (size < 1)
    __ult_unsupported("fgets with no room");
  while (i < size - 1) {
    byte = __ult_input(stream);
    if (byte == -1) {
      if (!__ult_kept_ended(stream)) {
        text[i] = (char)__ult_any_int();
        return 0;
      }
      if (i == 0)
        return 0;
      break;
    }
    text[i] = (char)byte;
    i++;
    if (byte == '\n')
      break;
  }
  text[i] = 0;
  return text;
}

/* C99 7.19.7.7: as fgets, but for any number of characters, and without the end of the line. */
char *gets(char *text) {
  __ult_size i = 0;
  int byte = __ult_input(0);
  while (byte != -1 && byte != '\n') {
    text[i] = (char)byte;
    i++;
    byte = __ult_input(0);
  }
  if (byte == -1 && !__ult_kept_ended(0)) {
    text[i] = (char)__ult_any_int();
    return 0;
  }
  if (byte == -1 && i == 0)
    return 0;
  text[i] = 0;
  return text;
}

/* 7.29.3.1: which bytes are one wide character, the locale says; a character of the basic set is one. Others may be an error. */
static unsigned int __ult_wide_input(const void *stream) {
  int byte = __ult_input(stream);
  unsigned int character;
  if (byte < 128)
    return (unsigned int)byte;
  __ult_approximated();
  character = (unsigned int)__ult_any_int();
  if (character <= 0x7fffffffu) {
    __ult_assume(character >= 128);
    return character;
  }
  __ult_may_fail();
  __ult_keep_failed(stream, 1);
  return 0xffffffffu;
}

unsigned int fgetwc(void *stream) {
  __ult_uses(stream);
  return __ult_wide_input(stream);
}

/* 7.29.3.6 */
unsigned int getwc(void *stream) {
  __ult_uses(stream);
  return __ult_wide_input(stream);
}

/* 7.29.3.7 */
unsigned int getwchar(void) {
  return __ult_wide_input(0);
}

/* 7.29.3.2: as fgets. */
__ult_wide *fgetws(__ult_wide *restrict text, int size, void *restrict stream) {
  int i = 0;
  unsigned int character;
  __ult_uses(stream);
  if (size < 1)
    __ult_unsupported("fgetws with no room");
  while (i < size - 1) {
    character = __ult_wide_input(stream);
    if (character == 0xffffffffu) {
      if (!__ult_kept_ended(stream)) {
        text[i] = (__ult_wide)__ult_any_int();
        return 0;
      }
      if (i == 0)
        return 0;
      break;
    }
    text[i] = (__ult_wide)character;
    i++;
    if (character == '\n')
      break;
  }
  text[i] = 0;
  return text;
}

/* 7.21.8.1: what an element contains of which only a part was read is arbitrary. */
__ult_size fread(void *restrict buffer, __ult_size size, __ult_size count, void *restrict stream) {
  unsigned char *bytes = buffer;
  __ult_size whole = __ult_any_size();
  __ult_size rest = 0;
  __ult_size i;
  __ult_uses(stream);
  __ult_may_fail();
  if (size == 0 || count == 0)
    return 0;
  if (__ult_kept_pushed(stream) != 0)
    __ult_unsupported("fread after a character was pushed back");
  __ult_assume(whole <= count);
  if (whole < count) {
    rest = __ult_any_size();
    __ult_assume(rest < size);
  }
  if (whole != 0 || rest != 0) {
    __ult_assume(!__ult_kept_ended(stream));
    if (__ult_kept_failed(stream) || __ult_kept_unread(stream))
      __ult_approximated();
    __ult_keep_unread(stream, 0);
  }
  for (i = 0; i < whole * size + rest; i++)
    bytes[i] = (unsigned char)__ult_any_int();
  if (whole < count && !__ult_kept_ended(stream))
    __ult_no_input(stream);
  return whole;
}

/* 7.21.8.2 */
__ult_size fwrite(const void *restrict from, __ult_size size, __ult_size count, void *restrict stream) {
  __ult_size written = __ult_any_size();
  __ult_uses(stream);
  __ult_may_fail();
  if (size == 0 || count == 0)
    return 0;
  __ult_reads(from, count <= (__ult_size)-1 / size ? size * count : (__ult_size)-1);
  __ult_assume(written <= count);
  return written;
}

/* POSIX: so many bytes, or an error. */
__ult_difference write(int file, const void *from, __ult_size size) {
  __ult_size written = __ult_any_size();
  __ult_reads(from, size);
  __ult_may_fail();
  if (__ult_any_int())
    return -1;
  __ult_assume(written <= size && written <= (__ult_size)-1 / 2);
  return (__ult_difference)written;
}

/* 7.21.5.4: the stream itself, or null. */
void *freopen(const char *restrict name, const char *restrict mode, void *restrict stream) {
  __ult_uses(stream);
  __ult_reads_strings();
  __ult_may_fail();
  __ult_go_elsewhere(stream);
  __ult_keep_failed(stream, 0);
  return __ult_any_int() ? stream : 0;
}

/* 7.21.5.5 */
void setbuf(void *restrict stream, char *restrict buffer) {
  __ult_uses(stream);
  if (buffer != 0)
    __ult_unsupported("setbuf with a buffer");
}

/* 7.21.5.6 */
int setvbuf(void *restrict stream, char *restrict buffer, int mode, __ult_size size) {
  __ult_uses(stream);
  if (buffer != 0)
    __ult_unsupported("setvbuf with a buffer");
  __ult_may_fail();
  return __ult_any_int();
}

/* POSIX: the same for the whole run, but in children, which are not covered. */
extern int __ult_same_process(void);

int getpid(void) {
  int number = __ult_same_process();
  __ult_assume(number > 0);
  return number;
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

/* 7.21.6.2p16: how many conversions of scanf assign, of `most` ones; -1 if there is no input before the first one is done. For 0,
 * the first one may find something else than it wants (`none` is 1), or is not counted (2). What `skips` begins with white space
 * or skips it. */
int __ult_scan(const void *stream, int most, int none, int skips) {
  int count = __ult_any_int();
  int unread = __ult_kept_unread(stream);
  __ult_may_fail();
  __ult_assume(count >= -1 && count <= most && (count != 0 || none));
  if (__ult_kept_pushed(stream) != 0 || unread == 2 || (unread == 1 && !skips))
    __ult_approximated();
  else if (__ult_kept_ended(stream))
    __ult_assume(count == -1 || most == 0);
  else if (__ult_kept_failed(stream) && count != -1)
    __ult_approximated();
  __ult_keep_pushed(stream, 0);
  if (most == 0 || count == most)
    __ult_keep_unread(stream, most == 0 ? 2 : 1);
  else if (count == -1 || ((count > 0 || none == 2) && __ult_any_int()))
    __ult_no_input(stream);
  else
    __ult_keep_unread(stream, 2);
  return count;
}

/* The same for fscanf, for which the stream may not be null. */
int __ult_scan_stream(const void *stream, int most, int none, int skips) {
  __ult_uses(stream);
  return __ult_scan(stream, most, none, skips);
}

/* 7.21.6.2: the characters that a conversion stores, `most` at most, with a zero behind. As unsigned characters, they are
 * between two of the numbers. */
void __ult_scan_text(char *text, __ult_size most, int a, int b, int c, int d, int e, int f, int g, int h) {
  __ult_size length = __ult_any_size();
  __ult_size i;
  __ult_assume(length >= 1 && length <= most);
  for (i = 0; i < length; i++) {
    int byte = __ult_any_int();
    __ult_assume((byte >= a && byte <= b) || (byte >= c && byte <= d) || (byte >= e && byte <= f) || (byte >= g && byte <= h));
    text[i] = (char)byte;
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

/* <string.h>: strings and arrays of characters (C11 7.24), with what POSIX adds. */

/* 7.24.6.3 */
__ult_size strlen(const char *text) {
  const char *end = text;
  while (*end != 0)
    end++;
  return (__ult_size)(end - text);
}

/* POSIX */
__ult_size strnlen(const char *text, __ult_size limit) {
  __ult_size length = 0;
  while (length < limit && text[length] != 0)
    length++;
  return length;
}

/* 7.24.2.3 */
char *strcpy(char *restrict to, const char *restrict from) {
  char *end = to;
  while (*from != 0)
    *end++ = *from++;
  *end = 0;
  return to;
}

/* POSIX: as strcpy, but the result is the end. */
char *stpcpy(char *restrict to, const char *restrict from) {
  while (*from != 0)
    *to++ = *from++;
  *to = 0;
  return to;
}

/* 7.24.2.4: what is left of `count` characters becomes zero. */
char *strncpy(char *restrict to, const char *restrict from, __ult_size count) {
  __ult_size i = 0;
  while (i < count && from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  while (i < count) {
    to[i] = 0;
    i++;
  }
  return to;
}

/* 7.24.3.1 */
char *strcat(char *restrict to, const char *restrict from) {
  char *end = to;
  while (*end != 0)
    end++;
  while (*from != 0)
    *end++ = *from++;
  *end = 0;
  return to;
}

/* 7.24.3.2: there is always a zero behind. */
char *strncat(char *restrict to, const char *restrict from, __ult_size count) {
  char *end = to;
  __ult_size i;
  while (*end != 0)
    end++;
  for (i = 0; i < count && from[i] != 0; i++)
    *end++ = from[i];
  *end = 0;
  return to;
}

static int __ult_compare(int function, const char *left, const char *right) {
  while (*left == *right && *left != 0) {
    left++;
    right++;
  }
  return __ult_order(function, left, right, (unsigned char)*left, (unsigned char)*right);
}

/* 7.24.4.2: characters are compared as unsigned ones (7.24.4); which number with the right sign is returned, is open. */
int strcmp(const char *left, const char *right) {
  return __ult_compare(1, left, right);
}

/* 7.24.4.3: in the C locale, the order is that of strcmp. */
int strcoll(const char *left, const char *right) {
  return __ult_compare(2, left, right);
}

/* 7.24.4.4 */
int strncmp(const char *left, const char *right, __ult_size count) {
  __ult_size i = 0;
  while (i < count && left[i] == right[i] && left[i] != 0)
    i++;
  if (i == count)
    return 0;
  return __ult_order(3, left + i, right + i, (unsigned char)left[i], (unsigned char)right[i]);
}

/* POSIX: without the difference between upper and lower case, in the C locale. */
int strcasecmp(const char *left, const char *right) {
  while (tolower((unsigned char)*left) == tolower((unsigned char)*right) && *left != 0) {
    left++;
    right++;
  }
  return __ult_order(4, left, right, tolower((unsigned char)*left), tolower((unsigned char)*right));
}

/* POSIX */
int strncasecmp(const char *left, const char *right, __ult_size count) {
  __ult_size i = 0;
  while (i < count && tolower((unsigned char)left[i]) == tolower((unsigned char)right[i]) && left[i] != 0)
    i++;
  if (i == count)
    return 0;
  return __ult_order(5, left + i, right + i, tolower((unsigned char)left[i]), tolower((unsigned char)right[i]));
}

/* 7.24.5.2: the terminating zero is part of the string. */
char *strchr(const char *text, int character) {
  while (*text != (char)character) {
    if (*text == 0)
      return 0;
    text++;
  }
  return (char *)text;
}

/* 7.24.5.5 */
char *strrchr(const char *text, int character) {
  const char *last = 0;
  while (*text != 0) {
    if (*text == (char)character)
      last = text;
    text++;
  }
  return (char *)((char)character == 0 ? text : last);
}

/* 7.24.5.6 */
__ult_size strspn(const char *text, const char *accepted) {
  const char *end = text;
  while (*end != 0) {
    const char *one = accepted;
    while (*one != 0 && *one != *end)
      one++;
    if (*one == 0)
      break;
    end++;
  }
  return (__ult_size)(end - text);
}

/* 7.24.5.3 */
__ult_size strcspn(const char *text, const char *rejected) {
  const char *end = text;
  while (*end != 0) {
    const char *one = rejected;
    while (*one != 0 && *one != *end)
      one++;
    if (*one != 0)
      break;
    end++;
  }
  return (__ult_size)(end - text);
}

/* 7.24.5.4 */
char *strpbrk(const char *text, const char *accepted) {
  while (*text != 0) {
    const char *one = accepted;
    while (*one != 0 && *one != *text)
      one++;
    if (*one != 0)
      return (char *)text;
    text++;
  }
  return 0;
}

/* 7.24.5.7: the empty string is a part of every string. */
char *strstr(const char *text, const char *part) {
  for (;;) {
    const char *here = text;
    const char *rest = part;
    while (*rest != 0 && *here == *rest) {
      here++;
      rest++;
    }
    if (*rest == 0)
      return (char *)text;
    if (*text == 0)
      return 0;
    text++;
  }
}

static char *__ult_strtok_rest;

/* POSIX: as strtok, with the rest of the text in a variable of the caller. */
char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest) {
  const char *one;
  char *token;
  if (text == 0)
    text = *rest;
  if (text == 0)
    return 0;
  /* The separators before the token. */
  while (*text != 0) {
    one = separators;
    while (*one != 0 && *one != *text)
      one++;
    if (*one == 0)
      break;
    text++;
  }
  if (*text == 0) {
    *rest = 0;
    return 0;
  }
  token = text;
  while (*text != 0) {
    one = separators;
    while (*one != 0 && *one != *text)
      one++;
    if (*one != 0)
      break;
    text++;
  }
  if (*text == 0) {
    *rest = 0;
  } else {
    *text = 0;
    *rest = text + 1;
  }
  return token;
}

/* 7.24.5.8 */
char *strtok(char *restrict text, const char *restrict separators) {
  return strtok_r(text, separators, &__ult_strtok_rest);
}

/* POSIX */
char *strdup(const char *text) {
  __ult_size length = 0;
  __ult_size i;
  char *copy;
  while (text[length] != 0)
    length++;
  copy = malloc(length + 1);
  if (copy == 0)
    return 0;
  for (i = 0; i <= length; i++)
    copy[i] = text[i];
  return copy;
}

/* POSIX */
char *strndup(const char *text, __ult_size limit) {
  __ult_size length = 0;
  __ult_size i;
  char *copy;
  while (length < limit && text[length] != 0)
    length++;
  copy = malloc(length + 1);
  if (copy == 0)
    return 0;
  for (i = 0; i < length; i++)
    copy[i] = text[i];
  copy[length] = 0;
  return copy;
}

/* 7.24.6.2 */
char *strerror(int number) {
  char *text = __ult_any_string();
  __ult_may_fail();
  __ult_assume(text != 0);
  return text;
}

/* GNU */
void *memrchr(const void *object, int value, __ult_size size) {
  const unsigned char *bytes = object;
  __ult_size i;
  __ult_needs(object, size);
  for (i = size; i > 0; i--)
    if (bytes[i - 1] == (unsigned char)value)
      return (void *)(bytes + (i - 1));
  return 0;
}

/* GNU: as strchr, but where the character is missing, the result is the end. */
char *strchrnul(const char *text, int character) {
  while (*text != (char)character && *text != 0)
    text++;
  return (char *)text;
}

/* POSIX: as strncpy, but the result is the end of the string. */
char *stpncpy(char *restrict to, const char *restrict from, __ult_size count) {
  __ult_size i = 0;
  __ult_size end;
  while (i < count && from[i] != 0) {
    to[i] = from[i];
    i++;
  }
  end = i;
  while (i < count) {
    to[i] = 0;
    i++;
  }
  return to + end;
}

/* BSD: the next field, which may be empty. */
char *strsep(char **restrict rest, const char *restrict separators) {
  char *field = *rest;
  char *end;
  if (field == 0)
    return 0;
  for (end = field; *end != 0; end++) {
    const char *one = separators;
    while (*one != 0 && *one != *end)
      one++;
    if (*one != 0) {
      *end = 0;
      *rest = end + 1;
      return field;
    }
  }
  *rest = 0;
  return field;
}

/* 7.24.5.1 */
void *memchr(const void *object, int value, __ult_size size) {
  const unsigned char *bytes = object;
  __ult_size i;
  for (i = 0; i < size; i++)
    if (bytes[i] == (unsigned char)value)
      return (void *)(bytes + i);
  return 0;
}

/* 7.24.4.1: all bytes may be read, also those after a difference. */
int memcmp(const void *left, const void *right, __ult_size size) {
  const unsigned char *a = left;
  const unsigned char *b = right;
  __ult_size i;
  __ult_needs(left, size);
  __ult_needs(right, size);
  for (i = 0; i < size; i++)
    if (a[i] != b[i])
      return __ult_order(6, a + i, b + i, a[i], b[i]);
  return 0;
}

/* BSD: not zero for different objects; the sign says nothing. */
int bcmp(const void *left, const void *right, __ult_size size) {
  const unsigned char *a = left;
  const unsigned char *b = right;
  int number;
  __ult_size i;
  __ult_needs(left, size);
  __ult_needs(right, size);
  for (i = 0; i < size; i++)
    if (a[i] != b[i]) {
      number = __ult_same_order(7, a + i, b + i, a[i], b[i]);
      __ult_assume(number != 0);
      return number;
    }
  return 0;
}

/* 7.24.2.1: element by element. */
void *memcpy(void *restrict to, const void *restrict from, __ult_size size) {
  __ult_element *target = to;
  const __ult_element *source = from;
  __ult_size i;
  if (size % sizeof(__ult_element) != 0) {
    __ult_element part;
    __ult_in_part();
    target[size / sizeof(__ult_element)] = part;
  }
  for (i = 0; i < size / sizeof(__ult_element); i++)
    target[i] = source[i];
  return to;
}

/* GNU: as memcpy, but the result is the end. */
void *mempcpy(void *restrict to, const void *restrict from, __ult_size size) {
  __ult_element *target = to;
  const __ult_element *source = from;
  __ult_size i;
  if (size % sizeof(__ult_element) != 0) {
    __ult_element part;
    __ult_in_part();
    target[size / sizeof(__ult_element)] = part;
  }
  for (i = 0; i < size / sizeof(__ult_element); i++)
    target[i] = source[i];
  return target + i;
}

/* 7.24.2.2: the objects may overlap. */
void *memmove(void *to, const void *from, __ult_size size) {
  __ult_element *target = to;
  const __ult_element *source = from;
  __ult_size i;
  if (size % sizeof(__ult_element) != 0) {
    __ult_element part;
    __ult_in_part();
    target[size / sizeof(__ult_element)] = part;
  }
  if (__ult_same_object(to, from) && source < target) {
    for (i = size / sizeof(__ult_element); i > 0; i--)
      target[i - 1] = source[i - 1];
  } else {
    for (i = 0; i < size / sizeof(__ult_element); i++)
      target[i] = source[i];
  }
  return to;
}

/* BSD: as memmove. */
void bcopy(const void *from, void *to, __ult_size size) {
  memmove(to, from, size);
}

/* 7.24.6.1, for arrays of characters. */
void *memset(void *object, int value, __ult_size size) {
  unsigned char *bytes = object;
  __ult_size i;
  for (i = 0; i < size; i++)
    bytes[i] = (unsigned char)value;
  return object;
}

/* BSD */
void bzero(void *object, __ult_size size) {
  memset(object, 0, size);
}

/* 7.24.6.1, where the value is zero: so is then every scalar. */
void *__ult_memset_zero(void *object, int value, __ult_size size) {
  __ult_element *elements = object;
  __ult_element zero = {0};
  __ult_size i;
  if (size % sizeof(__ult_element) != 0) {
    __ult_element part;
    __ult_in_part();
    elements[size / sizeof(__ult_element)] = part;
  }
  for (i = 0; i < size / sizeof(__ult_element); i++)
    elements[i] = zero;
  return object;
}

/* 7.24.6.1, for arrays of integers: each of their bytes gets the value. */
void *__ult_memset_integer(void *object, int value, __ult_size size) {
  __ult_element *elements = object;
  __ult_element element = (__ult_element)(0x0101010101010101ULL * (unsigned char)value);
  __ult_size i;
  if (size % sizeof(__ult_element) != 0) {
    __ult_element part;
    __ult_in_part();
    elements[size / sizeof(__ult_element)] = part;
  }
  for (i = 0; i < size / sizeof(__ult_element); i++)
    elements[i] = element;
  return object;
}

/* 7.1.1p1: a string is read up to its end. */
void __ult_read_string(const char *text) {
  while (*text)
    text++;
}

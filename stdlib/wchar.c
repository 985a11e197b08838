/* <wchar.h>: strings and arrays of wide characters (C11 7.29.4), with what POSIX adds. */

typedef typeof(L'a') __ult_wide;

/* 7.29.4.6.1 */
__ult_size wcslen(const __ult_wide *text) {
  const __ult_wide *end = text;
  while (*end != 0)
    end++;
  return (__ult_size)(end - text);
}

/* POSIX */
__ult_size wcsnlen(const __ult_wide *text, __ult_size limit) {
  __ult_size length = 0;
  while (length < limit && text[length] != 0)
    length++;
  return length;
}

/* 7.29.4.2.1 */
__ult_wide *wcscpy(__ult_wide *restrict to, const __ult_wide *restrict from) {
  __ult_wide *end = to;
  while (*from != 0)
    *end++ = *from++;
  *end = 0;
  return to;
}

/* 7.29.4.2.2: what is left of `count` characters becomes zero. */
__ult_wide *wcsncpy(__ult_wide *restrict to, const __ult_wide *restrict from, __ult_size count) {
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

/* 7.29.4.2.3 */
__ult_wide *wmemcpy(__ult_wide *restrict to, const __ult_wide *restrict from, __ult_size count) {
  __ult_size i;
  for (i = 0; i < count; i++)
    to[i] = from[i];
  return to;
}

/* 7.29.4.2.4: the objects may overlap. */
__ult_wide *wmemmove(__ult_wide *to, const __ult_wide *from, __ult_size count) {
  __ult_size i;
  if (__ult_same_object(to, from) && from < to) {
    for (i = count; i > 0; i--)
      to[i - 1] = from[i - 1];
  } else {
    for (i = 0; i < count; i++)
      to[i] = from[i];
  }
  return to;
}

/* 7.29.4.3.1 */
__ult_wide *wcscat(__ult_wide *restrict to, const __ult_wide *restrict from) {
  __ult_wide *end = to;
  while (*end != 0)
    end++;
  while (*from != 0)
    *end++ = *from++;
  *end = 0;
  return to;
}

/* 7.29.4.3.2: a zero is always added. */
__ult_wide *wcsncat(__ult_wide *restrict to, const __ult_wide *restrict from, __ult_size count) {
  __ult_wide *end = to;
  __ult_size i;
  while (*end != 0)
    end++;
  for (i = 0; i < count && from[i] != 0; i++)
    *end++ = from[i];
  *end = 0;
  return to;
}

/* 7.29.4.4.1: wide characters are compared as numbers of their type (7.29.4.4). */
int wcscmp(const __ult_wide *left, const __ult_wide *right) {
  while (*left == *right && *left != 0) {
    left++;
    right++;
  }
  return __ult_order(15, left, right, *left, *right);
}

/* 7.29.4.4.3 */
int wcsncmp(const __ult_wide *left, const __ult_wide *right, __ult_size count) {
  __ult_size i = 0;
  while (i < count && left[i] == right[i] && left[i] != 0)
    i++;
  if (i == count)
    return 0;
  return __ult_order(16, left + i, right + i, left[i], right[i]);
}

/* 7.29.4.4.5: all of both may be read, also what is after a difference. */
int wmemcmp(const __ult_wide *left, const __ult_wide *right, __ult_size count) {
  int order = 0;
  __ult_size i;
  for (i = 0; i < count; i++)
    if (left[i] != right[i] && order == 0)
      order = __ult_order(17, left + i, right + i, left[i], right[i]);
  return order;
}

/* 7.29.4.5.1: the terminating zero is part of the string. */
__ult_wide *wcschr(const __ult_wide *text, __ult_wide character) {
  while (*text != character) {
    if (*text == 0)
      return 0;
    text++;
  }
  return (__ult_wide *)text;
}

/* 7.29.4.5.4 */
__ult_wide *wcsrchr(const __ult_wide *text, __ult_wide character) {
  const __ult_wide *last = 0;
  while (*text != 0) {
    if (*text == character)
      last = text;
    text++;
  }
  return (__ult_wide *)(character == 0 ? text : last);
}

/* 7.29.4.5.6: the empty string is a part of every string. */
__ult_wide *wcsstr(const __ult_wide *text, const __ult_wide *part) {
  for (;;) {
    const __ult_wide *here = text;
    const __ult_wide *rest = part;
    while (*rest != 0 && *here == *rest) {
      here++;
      rest++;
    }
    if (*rest == 0)
      return (__ult_wide *)text;
    if (*text == 0)
      return 0;
    text++;
  }
}

/* 7.29.4.5.8 */
__ult_wide *wmemchr(const __ult_wide *object, __ult_wide character, __ult_size count) {
  __ult_size i;
  for (i = 0; i < count; i++)
    if (object[i] == character)
      return (__ult_wide *)(object + i);
  return 0;
}

/* 7.29.4.6.2 */
__ult_wide *wmemset(__ult_wide *object, __ult_wide character, __ult_size count) {
  __ult_size i;
  for (i = 0; i < count; i++)
    object[i] = character;
  return object;
}

/* POSIX */
__ult_wide *wcsdup(const __ult_wide *text) {
  __ult_size length = 0;
  __ult_size i;
  __ult_wide *copy;
  while (text[length] != 0)
    length++;
  copy = malloc((length + 1) * sizeof *copy);
  if (copy == 0)
    return 0;
  for (i = 0; i <= length; i++)
    copy[i] = text[i];
  return copy;
}

/* 7.29.4: a string is read up to its end. */
void __ult_read_wide_string(const __ult_wide *text) {
  while (*text)
    text++;
}

/* <ctype.h>: kinds of characters in the C locale (C11 7.4), for ASCII. Which number means yes is open,
 * and may differ from character to character. */

/* 7.4.1.10 */
int isspace(int character) {
  if (character == ' ' || (character >= '\t' && character <= '\r'))
    return __ult_yes(1, character);
  return 0;
}

/* 7.4.1.3 */
int isblank(int character) {
  if (character == ' ' || character == '\t')
    return __ult_yes(2, character);
  return 0;
}

/* 7.4.1.5 */
int isdigit(int character) {
  if (character >= '0' && character <= '9')
    return __ult_yes(3, character);
  return 0;
}

/* 7.4.1.12 */
int isxdigit(int character) {
  if ((character >= '0' && character <= '9') || (character >= 'a' && character <= 'f') ||
      (character >= 'A' && character <= 'F'))
    return __ult_yes(4, character);
  return 0;
}

/* 7.4.1.7 */
int islower(int character) {
  if (character >= 'a' && character <= 'z')
    return __ult_yes(5, character);
  return 0;
}

/* 7.4.1.11 */
int isupper(int character) {
  if (character >= 'A' && character <= 'Z')
    return __ult_yes(6, character);
  return 0;
}

/* 7.4.1.2 */
int isalpha(int character) {
  if ((character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z'))
    return __ult_yes(7, character);
  return 0;
}

/* 7.4.1.1 */
int isalnum(int character) {
  if ((character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
      (character >= 'A' && character <= 'Z'))
    return __ult_yes(8, character);
  return 0;
}

/* 7.4.1.4 */
int iscntrl(int character) {
  if ((character >= 0 && character < ' ') || character == 127)
    return __ult_yes(9, character);
  return 0;
}

/* 7.4.1.8 */
int isprint(int character) {
  if (character >= ' ' && character <= '~')
    return __ult_yes(10, character);
  return 0;
}

/* 7.4.1.6 */
int isgraph(int character) {
  if (character > ' ' && character <= '~')
    return __ult_yes(11, character);
  return 0;
}

/* 7.4.1.9 */
int ispunct(int character) {
  if ((character > ' ' && character < '0') || (character > '9' && character < 'A') ||
      (character > 'Z' && character < 'a') || (character > 'z' && character <= '~'))
    return __ult_yes(12, character);
  return 0;
}

/* 7.4.2.1 */
int tolower(int character) {
  return character >= 'A' && character <= 'Z' ? character - 'A' + 'a' : character;
}

/* 7.4.2.2 */
int toupper(int character) {
  return character >= 'a' && character <= 'z' ? character - 'a' + 'A' : character;
}

/* gcc's built-in functions on the bits of numbers. */

int __builtin_popcount(unsigned value) {
  value = value - ((value >> 1) & 0x55555555);
  value = (value & 0x33333333) + ((value >> 2) & 0x33333333);
  value = (value + (value >> 4)) & 0x0f0f0f0f;
  value = value + (value >> 8);
  value = value + (value >> 16);
  return (int)(value & 0x3f);
}

int __builtin_popcountll(unsigned long long value) {
  return __builtin_popcount((unsigned)(value & 0xffffffff)) + __builtin_popcount((unsigned)(value >> 32));
}

int __builtin_popcountl(unsigned long value) {
  return __builtin_popcountll(value);
}

int __builtin_parity(unsigned value) {
  return __builtin_popcount(value) % 2;
}

int __builtin_parityll(unsigned long long value) {
  return __builtin_popcountll(value) % 2;
}

int __builtin_parityl(unsigned long value) {
  return __builtin_popcountll(value) % 2;
}

/* Zeros before the highest bit; for 0, the result is open. */
int __builtin_clz(unsigned value) {
  int count = 0;
  if (value == 0)
    return __ult_any_int();
  if (value <= 0xffff) {
    count += 16;
    value <<= 16;
  }
  if (value <= 0xffffff) {
    count += 8;
    value <<= 8;
  }
  if (value <= 0xfffffff) {
    count += 4;
    value <<= 4;
  }
  if (value <= 0x3fffffff) {
    count += 2;
    value <<= 2;
  }
  if (value <= 0x7fffffff)
    count += 1;
  return count;
}

int __builtin_clzll(unsigned long long value) {
  if (value == 0)
    return __ult_any_int();
  if (value <= 0xffffffff)
    return 32 + __builtin_clz((unsigned)value);
  return __builtin_clz((unsigned)(value >> 32));
}

int __builtin_clzl(unsigned long value) {
  return sizeof(long) == 8 ? __builtin_clzll(value) : __builtin_clz((unsigned)value);
}

/* Zeros behind the lowest bit; for 0, the result is open. */
int __builtin_ctz(unsigned value) {
  int count = 0;
  if (value == 0)
    return __ult_any_int();
  if ((value & 0xffff) == 0) {
    count += 16;
    value >>= 16;
  }
  if ((value & 0xff) == 0) {
    count += 8;
    value >>= 8;
  }
  if ((value & 0xf) == 0) {
    count += 4;
    value >>= 4;
  }
  if ((value & 3) == 0) {
    count += 2;
    value >>= 2;
  }
  if ((value & 1) == 0)
    count += 1;
  return count;
}

int __builtin_ctzll(unsigned long long value) {
  if (value == 0)
    return __ult_any_int();
  if ((unsigned)(value & 0xffffffff) == 0)
    return 32 + __builtin_ctz((unsigned)(value >> 32));
  return __builtin_ctz((unsigned)(value & 0xffffffff));
}

int __builtin_ctzl(unsigned long value) {
  return __builtin_ctzll(value);
}

/* The number of the lowest bit, counted from 1; 0 if there is none. Also POSIX. */
int ffs(int value) {
  return value == 0 ? 0 : 1 + __builtin_ctz((unsigned)value);
}

int ffsll(long long value) {
  return value == 0 ? 0 : 1 + __builtin_ctzll((unsigned long long)value);
}

int ffsl(long value) {
  return value == 0 ? 0 : 1 + __builtin_ctzl((unsigned long)value);
}

/* The bits but the sign that equal the sign. */
int __builtin_clrsb(int value) {
  if (value < 0)
    value = -1 - value;
  return value == 0 ? 31 : __builtin_clz((unsigned)value) - 1;
}

int __builtin_clrsbll(long long value) {
  if (value < 0)
    value = -1 - value;
  return value == 0 ? 63 : __builtin_clzll((unsigned long long)value) - 1;
}

unsigned short __builtin_bswap16(unsigned short value) {
  return (unsigned short)((value & 0xff) * 256 + (value >> 8));
}

unsigned __builtin_bswap32(unsigned value) {
  return ((value & 0xff) << 24) + ((value & 0xff00) << 8) + ((value >> 8) & 0xff00) + (value >> 24);
}

unsigned long long __builtin_bswap64(unsigned long long value) {
  return ((unsigned long long)__builtin_bswap32((unsigned)(value & 0xffffffff)) << 32) +
         __builtin_bswap32((unsigned)(value >> 32));
}

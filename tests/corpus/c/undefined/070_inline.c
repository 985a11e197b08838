//# expect: safe
//# assumes: functions without a body
// C11 6.7.4: An inline function without a definition.
inline int f(void);
int main(void) {
  return f();
}

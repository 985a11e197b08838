//# expect: safe
//# assumes: these functions are called, in any order
// C11 5.1.2.2.1: No main of a known form.
void start(void) {
}

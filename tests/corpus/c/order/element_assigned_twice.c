//# expect: unknown(unsupported)
//# flags: --property evaluation-order expect: unsafe 8
//# flags: --assume evaluation-order expect: safe
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    int a[4] = { 1, 1, 1, 1 };
    unsigned i = __VERIFIER_nondet_uint() % 4, j = __VERIFIER_nondet_uint() % 4;
    a[i] = a[j]++;
    return a[i];
}

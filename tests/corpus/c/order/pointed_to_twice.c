//# expect: unknown(unsupported)
//# flags: --property evaluation-order expect: unsafe 10
// A pointer into an array and the array itself.
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[3] = { 0, 0, 0 };
    int *p = a;
    int n = __VERIFIER_nondet_int();
    if (n > 0 && n < 3) p += n;
    a[2] = *p += 1;
    return 0;
}

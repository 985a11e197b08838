//# expect: unknown(unsupported)
//# flags: --property evaluation-order expect: unsafe
int main(void) {
    int i = 0;
    i = i++; // FAILS
    return i;
}

//# expect: unknown(unsupported)
//# flags: --property evaluation-order expect: unsafe 7
struct pair { int of[2]; };
int main(void) {
    struct pair p = { { 1, 2 } };
    p.of[0] = p.of[1]++;
    p.of[1] = 3 * p.of[1]--;
    return 0;
}

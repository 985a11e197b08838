//# expect: unknown(unsupported)
//# flags: --property evaluation-order expect: unsafe 5
// Only the second call has the same counter twice.
struct counter { int low; int high; };
static void move(struct counter *to, struct counter *from) { to->low = from->low--; }
int main(void) {
    struct counter x = { 1, 2 }, y = { 3, 4 };
    move(&x, &y);
    move(&x, &x);
    return 0;
}

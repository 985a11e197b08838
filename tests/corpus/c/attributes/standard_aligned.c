//# expect: rejected(E0601 3)
// An attribute of the standard's new form that changes a layout.
struct s { char c; [[gnu::aligned(16)]] int i; };
int main(void) { return sizeof(struct s); }

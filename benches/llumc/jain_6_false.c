extern void abort(void);
void reach_error(void) { abort(); }
void check(int holds) { if (!holds) reach_error(); }
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 0;
    int y = 0;
    int z = 0;
    for (;;) {
        x = x + 2 * __VERIFIER_nondet_int();
        y = y + 4 * __VERIFIER_nondet_int();
        z = z + 8 * __VERIFIER_nondet_int();
        check(4 * x + 2 * y + z != 4);
    }
}

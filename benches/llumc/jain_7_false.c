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
        x = x + 1048576 * __VERIFIER_nondet_int();
        y = y + 2097152 * __VERIFIER_nondet_int();
        z = z + 4194304 * __VERIFIER_nondet_int();
        check(4 * x - 2 * y + z != 1048576);
    }
}

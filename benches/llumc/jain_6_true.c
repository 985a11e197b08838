extern void abort(void);
void reach_error(void) { abort(); }
void check(int holds) { if (!holds) reach_error(); }
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int x = 0;
    unsigned int y = 0;
    unsigned int z = 0;
    for (;;) {
        x = x + 2 * __VERIFIER_nondet_uint();
        y = y + 4 * __VERIFIER_nondet_uint();
        z = z + 8 * __VERIFIER_nondet_uint();
        check(4 * x + 2 * y + z != 4);
    }
}

extern void abort(void);
void reach_error(void) { abort(); }
void check(int holds) { if (!holds) reach_error(); }
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int y = 1;
    for (;;) {
        y = y + 2 * __VERIFIER_nondet_uint();
        check(y != 0);
    }
}

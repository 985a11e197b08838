extern void abort(void);
void reach_error(void) { abort(); }
void check(int holds) { if (!holds) reach_error(); }
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 1;
    int y = 1;
    for (;;) {
        x = x + 2 * __VERIFIER_nondet_int();
        y = y + 2 * __VERIFIER_nondet_int();
        check(x + y != 1);
    }
}

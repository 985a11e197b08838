extern void abort(void);
void reach_error(void) { abort(); }
void check(int holds) { if (!holds) reach_error(); }
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int y = 1;
    for (;;) {
        y = y + 2 * __VERIFIER_nondet_int();
        check(y != 0);
    }
}

extern void abort(void);
void reach_error(void) { abort(); }
void check(int holds) { if (!holds) reach_error(); }
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int x = 0, y = __VERIFIER_nondet_uint();
    while (x < 99) {
        if (y % 2 == 0) x += 2; else x -= 2;
        if (y % 2 == 0) x += 2; else x += 2;
        if (y % 2 == 0) x += 2; else x -= 2;
        if (y % 2 == 0) x += 2; else x -= 4;
        if (y % 2 == 0) x += 2; else x += 2;
        if (y % 2 == 0) x += 2; else x += 2;
        if (y % 2 == 0) x += 2; else x -= 4;
        if (y % 2 == 0) x += 2; else x += 2;
        if (y % 2 == 0) x += 2; else x += 2;
        if (y % 2 == 0) x += 2; else x -= 2;
    }
    check(x % 2 == y % 2);
    return 0;
}

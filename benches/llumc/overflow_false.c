extern void abort(void);
void reach_error(void) { abort(); }
void check(int holds) { if (!holds) reach_error(); }

/* x wraps around to 0. */
int main(void)
{
    unsigned int x = 10u;
    while (x >= 10) x += 2;
    check(x % 2);
    return 0;
}

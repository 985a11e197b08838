extern void abort(void);
void reach_error(void) { abort(); }
void check(int holds) { if (!holds) reach_error(); }

/* From unsigned int to a wider type zeros come in front, from int the sign. */
int main(void)
{
    unsigned int ones = -1;
    int narrow = ones;
    long long wide = ones;
    long long wider = narrow;
    check(narrow == -1);
    check(wide == -1LL);
    check(wider == -1);
    return 0;
}

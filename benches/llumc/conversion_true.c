extern void abort(void);
void reach_error(void) { abort(); }
void check(int holds) { if (!holds) reach_error(); }

/* The usual conversions make -1 the largest unsigned number. */
int main(void)
{
    unsigned int plus_one = 1;
    int minus_one = -1;
    if (plus_one > minus_one) reach_error();
    return 0;
}

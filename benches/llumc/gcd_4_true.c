extern void abort(void);
void reach_error(void) { abort(); }
void check(int holds) { if (!holds) reach_error(); }

long long gcd(long long x, long long y)
{
    while (x > 0 && y > 0) {
        if (x > y) x = x - y; else y = y - x;
    }
    return x + y;
}

int main(void)
{
    long long x = 63, y = 18;
    long long divisor = gcd(x, y);
    check(x % divisor == 0);
    return 0;
}

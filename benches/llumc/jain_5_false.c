extern void abort(void);
void reach_error(void) { abort(); }
void check(int holds) { if (!holds) reach_error(); }

int main(void)
{
    int x = 0;
    int y = 4;
    for (;;) {
        x = x + y;
        y = y + 4;
        check(x != 30);
    }
}

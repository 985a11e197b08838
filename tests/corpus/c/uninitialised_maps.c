//# expect: safe
//# flags: --property uninitialised expect: safe
// Arrays with two indices beside memory with objects and offsets: their maps have other sorts, and so other constants.
struct node { short *first; short *rest[2]; };
static short one = 43;
static short many[4];
short *all[3] = { &one, &many[1], &many[0] };
struct wide { struct node it; int n; };
int main(void) {
    struct node v = { all[2], { &all[1][2] } };
    struct wide a[2] = { [1].it = v };
    a[0] = a[1];
    return *a[0].it.first;
}

//# expect: safe
// A parameter, and a local array, with the names of global ones.
#include <assert.h>
int count = 1;
int *where = &count;
short list[3] = { 1, 2, 3 };
short *start = list;
static int add(int count) { *where += count; return *where; }
static int sum(void) {
    short list[3] = { 10, 20, 30 };
    int i = start[1];
    return list[i] + start[2];
}
int main(void) {
    assert(add(41) == 42);
    assert(count == 42);
    assert(sum() == 33);
    return 0;
}

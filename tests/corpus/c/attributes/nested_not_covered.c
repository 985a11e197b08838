//# expect: rejected(E0605 3)
// An attribute of a nested type that is not understood, and that changes how its members lie.
struct s { struct { int i; } __attribute__((scalar_storage_order("big-endian"))) inner; };
int main(void) { struct s s = {{1}}; return *(char *)&s; }

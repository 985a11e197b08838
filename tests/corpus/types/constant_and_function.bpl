//# expect: unsafe 10
//# flags: --modular expect: unsafe 10
// A constant and a function without parameters may have the same name.
type Ref;
function T(): Ref;
const unique T: int;
function g(r: Ref): int;
axiom g(T()) == T;

procedure p() { assert g(T()) == T; assert T == 3; }

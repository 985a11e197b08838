//# expect: safe
//# flags: --modular
// What a prover may use is no part of what the program means.
function outer(x: int): int uses {
  hideable axiom (forall x: int :: {outer(x)} outer(x) == inner(x) + 1);
}

function inner(x: int): int uses {
  hideable axiom (forall x: int :: {inner(x)} inner(x) == 42);
}

procedure p()
{
  hide *;
  push;
  reveal outer;
  assert outer(1) == inner(1) + 1;
  pop;
  reveal inner;
  assert outer(2) == 43;
}

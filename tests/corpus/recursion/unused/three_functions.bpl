//# expect: unsafe
// Three in a circle, one of them about maps.
function a(m: [int]int, n: int): int { if n <= 0 then m[0] else b(m, n - 1) }
function b(m: [int]int, n: int): int { m[n] + c(m, n) }
function c(m: [int]int, n: int): int { a(m[n := 0], n - 1) }

procedure main(m: [int]int)
{
  assert m[3] == m[4];   // FAILS
}

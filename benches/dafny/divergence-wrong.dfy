// Nothing becomes smaller.
method Search(n: int) returns (r: int)
{
  r := n;
  while r != 0
  {
    r := r - 1;
  }
}
function Collatz(n: nat): nat { if n <= 1 then 0 else if n % 2 == 0 then Collatz(n / 2) else Collatz(3 * n + 1) }

//# expect: unknown(run-rejected)
//# limit: 10
//# flags: --modular expect: safe
// No term of these programs matches the quantifiers; the pools say what they are to be instantiated with.
datatype Task { Add(i: int), Stop() }

procedure assumed(n: int, i: int, left: [Task]int)
  requires 0 <= i && i <= n;
{
  assume (forall {:pool "A"} t: Task :: left[t] == if t is Add && i < t->i && t->i <= n then 1 else 0);
  assume (forall {:pool "A"} t: Task :: left[t] == 0);
  assert {:add_to_pool "A", Add(n)} i == n;
}

procedure assigned(n: int, i: int)
  requires 0 <= i && i <= n;
{
  var left: [Task]int;
  left := (lambda {:pool "L"} t: Task :: if t is Add && i < t->i && t->i <= n then 1 else 0);
  assume (forall t: Task :: left[t] == 0);
  assert {:add_to_pool "L", Add(n)} i == n;
}

function f(x: int, y: int): bool;

procedure by_quantifiers(x: int)
  requires (forall {:pool "X"} a: int, {:pool "Y", "Z"} b: int :: f(a, b + 1));
  ensures {:add_to_pool "Z", x - 1} (forall k: int :: {:add_to_pool "X", k} f(k, x));
{
}

//# expect: unknown(unsupported)
procedure lemma(n: int);
  ensures n * n >= 0;

procedure p(x: int)
{
  call forall lemma(*);
  assert x * x != 5 || x > 100; 
  assert x != 3;
}

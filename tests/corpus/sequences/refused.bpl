//# expect: unknown(unsupported)
// SMT-LIB writes these characters otherwise, and a loop without words is none.
function {:builtin "str.++"} join(a: string, b: string): string;
function {:builtin "str.len"} length(a: string): int;
function {:builtin "str.substr"} part(a: string, from: int, count: int): string;
function {:builtin "str.indexof"} find(a: string, b: string): int;
function {:builtin "str.to.int"} number(a: string): int;
function {:builtin "int.to.str"} text(i: int): string;
function {:builtin "str.to.re"} word(a: string): regex;
function {:builtin "str.in.re"} is_in(a: string, r: regex): bool;
function {:builtin "re.range"} between(a: string, b: string): regex;
function {:builtin "re.+"} many(r: regex): regex;
function {:builtin "re.nostr"} none(): regex;
function {:builtin "re.loop"} repeat(r: regex, low: int, high: int): regex;

procedure escaped()
{
  assert length("\u{41}") == 1;
}

procedure no_limit()
{
  assert is_in("", repeat(word("a"), 0, 0));
}

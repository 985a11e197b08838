//# expect: unsafe
// Each of these is false, and needs no values to be so.
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

procedure escapes()
{
  assert length("ab ") == 2; // FAILS
}

procedure empty_word()
{
  assert number("") == 0; // FAILS
}

procedure negative()
{
  assert text(-7) == "-7"; // FAILS
}

procedure language()
{
  assert is_in("a", repeat(word("a"), 2, 3)); // FAILS
}

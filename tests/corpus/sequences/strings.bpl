//# expect: safe
// SMT-LIB's strings and regular languages, by the names that Boogie programs use.
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

procedure strings(a: string, b: string)
{
  assert join("abc", "def") == "abcdef" && length("abcd") == 4;
  assert part("abcd", 1, 2) == "bc" && find("abcd", "cd") == 2 && find("abcd", "dc") == -1;
  assert length(join(a, b)) == length(a) + length(b);
  assert number("12") == 12 && number("-1") == -1 && number("") == -1;
  assert text(7) == "7" && text(-7) == "";
}

procedure languages()
{
  assert is_in("abc", word("abc")) && !is_in("ab", word("abc"));
  assert is_in("2026", many(between("0", "9"))) && !is_in("20a6", many(between("0", "9")));
  assert !is_in("", none()) && !is_in("", many(between("0", "9")));
  assert is_in("aaa", repeat(word("a"), 2, 3)) && !is_in("aaaa", repeat(word("a"), 2, 3)) && !is_in("a", repeat(word("a"), 2, 3));
}

//! Families of programs of which each has a size: `n` rounds, assertions, branches, variables.
//!
//! All of them are decidable by hand, so each has its verdict. The sizes at which a family is asked are powers of ten
//! with the middle between two.

use std::fmt::Write as _;

use crate::answer::Expected;

/// A family of programs.
pub(super) struct Family {
    /// Its name, as in `--family NAME`.
    pub name: &'static str,
    /// What grows, in a few words.
    pub grows: &'static str,
    /// The end of its files' names: `bpl` or `c`.
    pub language: &'static str,
    /// The largest size that is asked.
    pub most: u64,
    /// What holds of its programs.
    pub expected: Expected,
    /// The program of a size.
    pub program: fn(u64) -> String,
}

const SIZES: u64 = 10_000;
const ROUNDS: u64 = 1_000_000;

macro_rules! families {
    ($($name:literal $language:ident $expected:ident to $most:ident: $grows:literal, $program:expr;)*) => {
        /// All families.
        pub(super) const FAMILIES: &[Family] = &[$(Family {
            name: $name,
            grows: $grows,
            language: stringify!($language),
            most: $most,
            expected: Expected::$expected,
            program: $program,
        },)*];
    };
}

families! {
    "rounds" bpl False to ROUNDS: "rounds of a loop, then a claim about what it computed", |n| rounds(n, false);
    "rounds-proved" bpl True to ROUNDS: "the same, where the claim is right", |n| rounds(n, true);
    "rounds-c" c False to ROUNDS: "rounds of a loop in C with unsigned arithmetic", rounds_c;
    "sum" bpl False to ROUNDS: "summands of a sum, then a claim about it", sum;
    "deep" bpl False to ROUNDS: "rounds until a claim in the loop is wrong", deep;
    "array" bpl False to ROUNDS: "elements written one by one, then a claim about one", array;
    "closed" bpl True to ROUNDS: "the bound of a loop that an invariant closes", closed;
    "same-claims" bpl True to SIZES: "the same assertion again and again", |n| claims(n, Claim::Same);
    "state-claims" bpl True to SIZES: "assertions about a state that changes between them", |n| claims(n, Claim::State);
    "own-claims" bpl True to SIZES: "assertions about variables of their own", |n| claims(n, Claim::Own);
    "wrong-claims" bpl False to SIZES: "assertions that are all violated", |n| claims(n, Claim::Wrong);
    "diamonds" bpl True to SIZES: "choices before an assertion", |n| diamonds(n, false);
    "conditions" bpl True to SIZES: "choices with conditions before an assertion", |n| diamonds(n, true);
    "else-if" bpl True to SIZES: "branches of one `else if`", else_if;
    "switch-c" c True to SIZES: "cases of a `switch` in C", |n| switch(n, false);
    "switch-loop-c" c True to SIZES: "cases of a `switch` in a loop in C", |n| switch(n, true);
    "loop-claims" bpl True to SIZES: "assertions in one loop", loop_claims;
    "locks" bpl True to SIZES: "locks that are taken and given back in a loop", locks;
    "loops" bpl True to SIZES: "loops in sequence", loops;
    "variables" bpl True to SIZES: "variables", variables;
    "statements-c" c True to SIZES: "statements in C", statements_c;
    "mallocs-c" c True to SIZES: "calls of `malloc`", mallocs_c;
    "lists-c" c True to SIZES: "cells of a list, each by a `malloc` of its own", lists_c;
    "functions-c" c True to SIZES: "functions in C", |n| functions_c(n, true);
    "uncalled-c" c True to SIZES: "functions in C that nothing calls", |n| functions_c(n, false);
    "variables-c" c True to SIZES: "variables in C", variables_c;
    "statements" bpl True to SIZES: "statements", statements;
    "gotos" bpl True to SIZES: "blocks that are left by `goto`", gotos;
    "axioms" bpl True to SIZES: "axioms", axioms;
    "globals" bpl True to SIZES: "global variables", globals;
    "writes" bpl True to SIZES: "writes to a map", writes;
    "procedures" bpl True to SIZES: "procedures with contracts, each called once", procedures;
    "chain" bpl True to SIZES: "procedures without contracts, each called by the one before", chain;
}

/// A text made of `n` parts.
fn repeat(n: u64, part: impl Fn(u64, &mut String)) -> String {
    let mut text = String::new();
    (0..n).for_each(|i| part(i, &mut text));
    text
}

macro_rules! each {
    ($n:expr, |$i:ident| $($format:tt)*) => {
        repeat($n, |$i, text| {
            let _ = writeln!(text, $($format)*);
        })
    };
}

fn rounds(n: u64, is_right: bool) -> String {
    let value = (0..n).fold(1, |x, _| (x * 5 + 3) % 17);
    let relation = if is_right { "==" } else { "!=" };
    format!(
        "procedure main()\n{{\n  var x, i: int;\n  x := 1;\n  i := 0;\n  while (i < {n}) {{\n    \
         x := (x * 5 + 3) mod 17;\n    i := i + 1;\n  }}\n  assert x {relation} {value};\n}}\n"
    )
}

fn rounds_c(n: u64) -> String {
    let value = (0..n).fold(1u32, |x, _| x.wrapping_mul(5).wrapping_add(3));
    format!(
        "void reach_error(void);\nint main(void) {{\n  unsigned x = 1;\n  for (unsigned i = 0; i < {n}u; i++)\n    \
         x = x * 5u + 3u;\n  if (x == {value}u) reach_error();\n  return 0;\n}}\n"
    )
}

fn sum(n: u64) -> String {
    let total = n * (n + 1) / 2;
    format!(
        "procedure main()\n{{\n  var s, i: int;\n  s := 0;\n  i := 1;\n  while (i <= {n}) {{\n    s := s + i;\n    \
         i := i + 1;\n  }}\n  assert s != {total};\n}}\n"
    )
}

fn deep(n: u64) -> String {
    format!(
        "procedure main()\n{{\n  var i: int;\n  i := 0;\n  while (true) {{\n    i := i + 1;\n    assert i != {n};\n  }}\n}}\n"
    )
}

fn array(n: u64) -> String {
    format!(
        "procedure main()\n{{\n  var a: [int]int;\n  var i: int;\n  i := 0;\n  while (i < {n}) {{\n    a[i] := i;\n    \
         i := i + 1;\n  }}\n  assert a[{0}] != {0};\n}}\n",
        n / 2
    )
}

fn closed(n: u64) -> String {
    format!(
        "procedure main()\n{{\n  var i, j: int;\n  i := 0;\n  j := 0;\n  while (i < {n}) {{\n    i := i + 1;\n    \
         j := j + 1;\n  }}\n  assert i == j;\n}}\n"
    )
}

/// What the assertions are about.
#[derive(Clone, Copy)]
enum Claim {
    Same,
    State,
    Own,
    Wrong,
}

fn claims(n: u64, claim: Claim) -> String {
    let own = match claim {
        Claim::Own => each!(n, |i| "  var x{i}: int;"),
        Claim::Same | Claim::State | Claim::Wrong => "  var x: int;\n".to_owned(),
    };
    let body = match claim {
        Claim::Same => "  assume x > 0;\n".to_owned() + &each!(n, |_i| "  assert x > 0;"),
        Claim::State => {
            "  x := 0;\n".to_owned() + &each!(n, |i| "  x := x + 1;\n  assert x == {};", i + 1)
        }
        Claim::Own => each!(n, |i| "  assume x{i} > {i};\n  assert x{i} >= {i};"),
        Claim::Wrong => each!(n, |i| "  if (*) {{ assert x != {i}; }}"),
    };
    format!("procedure main()\n{{\n{own}{body}}}\n")
}

fn diamonds(n: u64, with_conditions: bool) -> String {
    let body = match with_conditions {
        false => each!(n, |_i| "  if (*) {{ x := x + 1; }} else {{ x := x + 2; }}"),
        true => each!(
            n,
            |i| "  if (y == {i}) {{ x := x + 1; }} else {{ x := x + 2; }}"
        ),
    };
    format!("procedure main(y: int)\n{{\n  var x: int;\n  x := 0;\n{body}  assert x >= {n};\n}}\n")
}

fn else_if(n: u64) -> String {
    let body = each!(n, |i| "  if (y == {i}) {{ x := {i} + 1; }} else");
    format!(
        "procedure main(y: int)\n{{\n  var x: int;\n{body}  {{ x := 1; }}\n  assert x > 0;\n}}\n"
    )
}

fn switch(n: u64, in_loop: bool) -> String {
    let body = each!(n, |i| "    case {i}: x = {i} + 1; break;");
    let head = if in_loop {
        "while (__VERIFIER_nondet_int())"
    } else {
        ""
    };
    format!(
        "void reach_error(void);\nint __VERIFIER_nondet_int(void);\nint main(void) {{\n  int x = 1;\n  {head} {{\n    \
         switch (__VERIFIER_nondet_int()) {{\n{body}    }}\n  }}\n  if (x < 1) reach_error();\n  return 0;\n}}\n"
    )
}

fn loops(n: u64) -> String {
    let body = each!(n, |_i| "  while (*) {{ x := x + 1; }}");
    format!("procedure main()\n{{\n  var x: int;\n  x := 0;\n{body}  assert x >= 0;\n}}\n")
}

fn loop_claims(n: u64) -> String {
    let body = each!(n, |i| "    x := x + 1;\n    assert x > {i};");
    format!("procedure main()\n{{\n  var x: int;\n  x := 0;\n  while (*) {{\n{body}  }}\n}}\n")
}

/// The lock family of the paper on large-block encoding, see `ult-bench generate locks`.
fn locks(n: u64) -> String {
    let vars = each!(n, |i| "  var p{i}, lk{i}: int;");
    let free = each!(n, |i| "    lk{i} := 0;");
    let take = each!(n, |i| "    if (p{i} != 0) {{ lk{i} := 1; }}");
    let give = each!(
        n,
        |i| "    if (p{i} != 0) {{ assert lk{i} == 1; lk{i} := 0; }}"
    );
    format!("procedure main()\n{{\n{vars}  while (*) {{\n{free}{take}{give}  }}\n}}\n")
}

fn variables(n: u64) -> String {
    let vars = each!(n, |i| "  var x{i}: int;");
    let body = repeat(n, |i, text| {
        let _ = match i {
            0 => writeln!(text, "  x0 := 1;"),
            _ => writeln!(text, "  x{i} := x{} + 1;", i - 1),
        };
    });
    format!(
        "procedure main()\n{{\n{vars}{body}  assert x{} == {n};\n}}\n",
        n - 1
    )
}

fn statements_c(n: u64) -> String {
    let body = each!(n, |i| "  x = x + {} - y;", i % 7);
    format!(
        "void reach_error(void);\nint main(void) {{\n  long x = 0, y = 3;\n{body}  if (x > 4 * {n}L) reach_error();\n  return 0;\n}}\n"
    )
}

fn mallocs_c(n: u64) -> String {
    let body = each!(
        n,
        |i| "  int *p{i} = malloc(sizeof(int)); if (!p{i}) return 0; *p{i} = {i};"
    );
    format!(
        "#include <stdlib.h>\nvoid reach_error(void);\nint main(void) {{\n{body}  if (*p0 != 0) reach_error();\n  return 0;\n}}\n"
    )
}

fn lists_c(n: u64) -> String {
    let body = each!(
        n,
        |i| "  q = malloc(sizeof *q); if (!q) return 0; q->value = {i}; q->next = p; p = q;"
    );
    format!(
        "#include <stdlib.h>\nstruct cell {{ int value; struct cell *next; }};\nvoid reach_error(void);\nint main(void) {{\n  \
         struct cell *p = 0, *q;\n{body}  if (p->value != {}) reach_error();\n  return 0;\n}}\n",
        n - 1
    )
}

fn variables_c(n: u64) -> String {
    let body = repeat(n, |i, text| {
        let _ = match i {
            0 => writeln!(text, "  long x0 = 1;"),
            _ => writeln!(text, "  long x{i} = x{} + 1;", i - 1),
        };
    });
    format!(
        "void reach_error(void);\nint main(void) {{\n{body}  if (x{} != {n}) reach_error();\n  return 0;\n}}\n",
        n - 1
    )
}

fn functions_c(n: u64, are_called: bool) -> String {
    let all = each!(
        n,
        |i| "static int f{i}(int x) {{ return x > {i} ? {i} : x; }}"
    );
    let calls = match are_called {
        true => each!(n, |i| "  y = f{i}(y);"),
        false => "  y = y > 0 ? 0 : y;\n".to_owned(),
    };
    format!(
        "void reach_error(void);\nint __VERIFIER_nondet_int(void);\n{all}int main(void) {{\n  int y = __VERIFIER_nondet_int();\n{calls}  \
         if (y > 0) reach_error();\n  return 0;\n}}\n"
    )
}

fn statements(n: u64) -> String {
    let body = each!(n, |_i| "  x := x + y;");
    format!(
        "procedure main(y: int)\n{{\n  var x: int;\n  assume y > 0;\n  x := 0;\n{body}  assert x > 0;\n}}\n"
    )
}

fn gotos(n: u64) -> String {
    let body = each!(n, |i| "  L{i}: x := x + 1; goto L{};", i + 1);
    format!(
        "procedure main()\n{{\n  var x: int;\n  x := 0;\n  goto L0;\n{body}  L{n}: assert x == {n};\n}}\n"
    )
}

fn axioms(n: u64) -> String {
    let all = each!(n, |i| "const c{i}: int;\naxiom c{i} == {i};");
    format!(
        "{all}procedure main()\n{{\n  assert c{} == {0};\n}}\n",
        n - 1
    )
}

fn globals(n: u64) -> String {
    let all = each!(n, |i| "var g{i}: int;");
    let body = each!(n, |i| "  g{i} := {i};");
    let names: Vec<String> = (0..n).map(|i| format!("g{i}")).collect();
    format!(
        "{all}procedure main()\n  modifies {};\n{{\n{body}  assert g0 == 0;\n}}\n",
        names.join(", ")
    )
}

fn writes(n: u64) -> String {
    let body = each!(n, |i| "  a[{i}] := {i};");
    format!("procedure main()\n{{\n  var a: [int]int;\n{body}  assert a[0] == 0;\n}}\n")
}

fn procedures(n: u64) -> String {
    let all = each!(
        n,
        |i| "procedure p{i}(x: int) returns (y: int)\n  requires x >= {i};\n  ensures y == x + 1;\n{{ y := x + 1; }}"
    );
    let calls = each!(n, |i| "  call x := p{i}(x);");
    format!("{all}procedure main()\n{{\n  var x: int;\n  x := 0;\n{calls}  assert x == {n};\n}}\n")
}

fn chain(n: u64) -> String {
    let all = each!(
        n,
        |i| "procedure p{i}(x: int) returns (y: int) {{ call y := p{}(x); y := y + 1; }}",
        i + 1
    );
    format!(
        "{all}procedure p{n}(x: int) returns (y: int) {{ y := x; }}\nprocedure {{:entrypoint}} main()\n{{\n  var x: int;\n  \
         call x := p0(0);\n  assert x == {n};\n}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_programs_that_are_read() {
        for family in FAMILIES.iter().filter(|family| family.language == "bpl") {
            let text = (family.program)(3);
            let (_, diagnostics) = ult_lang::analyze_boogie(&text);
            assert!(
                diagnostics.iter().all(|d| !d.is_error()),
                "{}: {diagnostics:?}",
                family.name,
            );
        }
    }
}

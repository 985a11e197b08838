//! Typical mistakes and what is said about them. Each snapshot shows the text and its diagnostics together.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "a test; its helpers are shared with others"
)]

mod support;

use support::{parse_diagnostics, render};

macro_rules! mistakes {
    ($language:literal: $($name:ident = $text:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let text = $text;
                let diagnostics = parse_diagnostics($language, text);
                assert!(!diagnostics.is_empty());
                insta::assert_snapshot!(stringify!($name), render(text, &diagnostics));
            }
        )*
    };
}

mistakes! { "bpl":
    missing_semicolon = "procedure main() {\n  var x: int;\n  x := 1\n  assert x == 1;\n}\n";
    missing_semicolon_at_block_end = "procedure main() {\n  var x: int;\n  x := 1\n}\n";
    equals_for_assignment = "procedure main() {\n  var x: int;\n  x = 1;\n  assert x == 1;\n}\n";
    equals_for_equality = "procedure main(x: int) {\n  assert x = 1;\n}\n";
    single_arrow_implication = "axiom true => false;\n";
    c_style_declaration = "procedure main() {\n  int x;\n  x := 1;\n}\n";
    compound_assignment = "procedure main() {\n  var x: int;\n  x += 1;\n  x++;\n}\n";
    call_without_call = "procedure f(x: int);\nprocedure main() {\n  f(1);\n  g(x);\n}\n";
    condition_without_parentheses = "procedure main(x: int) {\n  while x < 3 {\n    assert true;\n  }\n  assert false\n}\n";
    branch_without_braces = "procedure main(x: int) {\n  if (x > 0)\n    assert x > 0;\n  else\n    assert x <= 0;\n}\n";
    quantifier_without_parentheses = "axiom forall x: int :: x == x;\n";
    result_without_parentheses = "function f(x: int) returns int;\nfunction g(x: int) : int;\n";
    initialised_variable = "procedure main() {\n  var x: int := 5;\n  assert x == 5;\n}\n";
    initialised_constant = "const limit: int = 5;\naxiom limit > 0\n";
    keyword_as_name = "procedure main() {\n  var type: int;\n  type := 1;\n}\n";
    stray_closing_brace = "procedure main() {\n}\n}\nprocedure other() {\n  assert }\n}\n";
    unclosed_body = "procedure main() {\n  if (*) {\n    assert true;\n\nprocedure other() {\n  assert 1 +;\n}\n";
    unclosed_at_the_end = "procedure main() {\n  assert (1 == 1;\n";
    mismatched_brackets = "procedure main(m: [int]int) {\n  assert m[(1] == 0;\n  assert m{1} == 0;\n}\n";
    mixed_logic = "axiom a && b || c;\naxiom a <== b ==> c;\naxiom a ==> b <== c;\n";
    chained_comparison = "axiom 0 <= x < 10;\n";
    late_locals = "procedure main() {\n  var x: int;\n  x := 1;\n  if (*) {\n    var y: int;\n    y := x;\n  }\n  var z: int;\n}\n";
    several_errors = "const c int;\n\nfunction f(x: int) returns (int) { x + };\n\nprocedure p()\n  requires ;\n  ensures true\n{\n  var x: int\n  x := ;\n  havoc ;\n  goto;\n  assert x == 1;\n}\n\naxiom;\n";
    misplaced_contract = "procedure main() {\n  requires true;\n  while (*) {\n    invariant true;\n  }\n}\n";
    else_without_if = "procedure main() {\n  if (*) { assert true; };\n  else { assert true; }\n}\n";
    lexical_errors = "procedure main() {\n  var x: int;\n  x := 1 @@ 2;\n  assert x & 1 == 1;\n  assert {:msg \"open} true;\n}\n/* /* */\n";
    bad_literals = "axiom 0x1.0e99f24e8 == c;\naxiom 1e20000 > 0.0;\nvar x: float1e1;\naxiom y[1:2] == z[a:0];\n";
    unfinished_text = "procedure main() {\n}\n\naxiom 1 ==";
    concurrency = "yield procedure p();\natomic action a() { }\nprocedure main() {\n  fork 1 p();\n}\n";
    bad_quantifiers = "axiom (forall x :: x == x);\naxiom (forall x: int, :: true);\naxiom (exists x: int where x > 0 :: {f(x) x});\n";
    bad_types = "var x: [int;\nvar y: int int;\nvar z: ;\ntype T = ;\n";
    other_signs = "procedure p(x: int, b: bool) {\n  assert x =< 1;\n  assert x <> 1;\n  assert not b;\n  assert x == 0x10;\n  assert b ? x : 1;\n  assert b and x == 1;\n  assert b or x == 1;\n  assert b implies x == 1;\n}\n";
    other_words = "proc p() { }\nProcedure q() { }\nprocedure r(int x) { }\nprocedure s(x: int): int { }\nvoid t() { }\n";
    counting_loop = "procedure p() {\n  var i: int;\n  for (i := 0; i < 10; i := i + 1) { assert i < 10; }\n}\n";
    counting_loop_as_in_c = "procedure p() {\n  for (int i = 0; (i < 10); i++) { assert i < 10 }\n  assert 1 +;\n}\n";
    a_function_called_for = "function for(x: int): int;\naxiom for((var x := 1; x), 2 +) == 3;\naxiom for((var x := 1; x +)) == 3;\n";
    bad_parameters = "function f(x, y: int, 3) returns (int);\nfunction g(int: x): int;\nprocedure p(int);\nprocedure q(x) {\n  var y: int;\n  assert y;\n}\n";
}

mistakes! { "ult":
    graph_mistakes = "const c: int;\nvar x: int;\ngraph g {\n  var x: int where x > 0;\n  init a\n  location b;\n  a -> b: x' = 1;\n  a -> b { let d = 1; x' == d; }\n  a => b: true;\n  error error;\n}\n";
    graph_names = "graph g {\n  init `a;\n  a -> b: (x + 1)' == ``;\n  assume -> assert: x' == 0;\n  location let;\n}\n";
    graph_not_closed = "graph g {\n  init a;\n  a -> b {\n    local z: int;\n  b -> a;\ngraph h {\n}\n";
}

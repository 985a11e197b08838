//! Where names are declared and used.

#![allow(clippy::unwrap_used, reason = "a test")]

use ult_lang::Modifies;
use ult_lang::db::{Database, SourceFile, boogie_names, graph_text_names};
use ult_lang::names::{Index, Kind, Usage};

/// The text with a mark behind each name: `#` and the line of its declaration, `*` where it is declared, `=` where it is
/// written, `?` where its declaration is not found.
fn marked(text: &str, index: &Index<'_>) -> String {
    let mut out = String::new();
    let mut end = 0;
    for found in index.all() {
        out += &text[end..found.span.range().end];
        end = found.span.range().end;
        let declarations = index.declarations(&found.symbol);
        let lines: Vec<String> = declarations
            .iter()
            .map(|d| (text[..d.span.range().start].matches('\n').count() + 1).to_string())
            .collect();
        out += match found.usage {
            Usage::Declared => "*",
            Usage::Written => "=",
            Usage::Read => "",
        };
        if found.usage != Usage::Declared {
            out += &format!(
                "#{}",
                if lines.is_empty() {
                    "?".into()
                } else {
                    lines.join("|")
                }
            );
        }
    }
    out + &text[end..]
}

#[test]
fn names_of_boogie_programs() {
    let text = "\
type T a; type Seq b = [int]b;
datatype Tree { Leaf(), Node(left: Tree, val: int) }
datatype Box<a> { Box(val: a) }
const c: T int extends c;
var x: int where x > 0;
function f<a>(y: a, int) returns (r: Seq a) { (lambda i: int :: (var y := y; y)) }
axiom (forall x: int, y: Seq int :: {f(x, 1)} f(x, y[x])[0] == x);
procedure p<b>(x: int, t: Tree) returns (r: T b)
  requires x > 0 where_is;
  modifies x, nothing;
  ensures old(x) == x && r == r;
{
  var y: Tree where y is Leaf;
  start: x, y->val := t->left->val, 1;
  Node(y, x) := t;
  call r := p(x, y);
  if (x == 0) { inner: goto start, inner; }
  assert (exists<b> t: b :: t == t) && t == Leaf();
}
implementation p(z: int) returns (r: T int) { x := z; havoc r; }
";
    let text = text.replace(" where_is", "");
    let db = Database::default();
    let file = SourceFile::new(&db, "t.bpl".into(), text.clone(), Modifies::Infer);
    let index = boogie_names(&db, file);
    insta::assert_snapshot!(marked(&text, &index));

    // The end of a name counts, blanks between names do not.
    let at = |word: &str| u32::try_from(text.find(word).unwrap()).unwrap();
    assert!(index.at(at("x, y->val") + 1).is_some());
    assert!(index.at(at(":= t->left")).is_none());
    assert!(index.at(u32::MAX).is_none());
    // What can be used inside of the quantifier, innermost last.
    let visible = index.visible(at("t == t)"));
    let names: Vec<(&str, Kind)> = visible.iter().map(|d| (&*d.name, d.kind)).collect();
    assert_eq!(names.last(), Some(&("t", Kind::Bound)));
    assert!(names.contains(&("t", Kind::Parameter)));
    let details: Vec<String> = index.globals().map(|(_, d)| d.detail).collect();
    insta::assert_snapshot!(details.join("\n"));
}

#[test]
fn names_of_graphs() {
    let text = "\
const n: int;
graph one {
  var x, y: int;
  init a;
  error bad \"x\";
  a -> b: x' == n;
  b -> bad { local x: int; havoc y; let d := x + y'; d == x }
}
graph two { var x: int; init a; a -> a: x' == x; }
";
    let db = Database::default();
    let file = SourceFile::new(&db, "t.ult".into(), text.into(), Modifies::Infer);
    insta::assert_snapshot!(marked(text, &graph_text_names(&db, file)));
}

//! Program-graph texts.

use insta::assert_snapshot;
use ult_lang::diagnostic::Severity;

use super::{check, printer};
use crate::graph::lower_graphs;
use ult_core::formula::Terms;

fn show(text: &str) -> String {
    let (program, diagnostics) = ult_lang::analyze_graph(text);
    assert!(
        diagnostics.iter().all(|d| d.severity != Severity::Error),
        "{diagnostics:#?}"
    );
    let terms = Terms::new();
    let mut output = format!("{}\n", text.trim());
    for unit in lower_graphs(&terms, &program) {
        check(&terms, &unit);
        output += "\n";
        output += &printer::print(&terms, text, &unit);
    }
    output
}

#[test]
fn edges_lets_and_locals() {
    assert_snapshot!(show(
        "
const c: int;
axiom c > 0;
graph sums {
  var x, y: int;
  init start;
  location loop;
  error bad \"x got negative\";
  start -> loop: x' == 0 && y' == c;
  loop -> loop {
    local a: int;
    havoc y;
    let s := x + a;
    a > 0 && x' == s + s
  }
  loop -> bad: x < 0;
  loop -> loop: x' == x' && y > 0;
  bad -> loop: true;
}
"
    ));
}

#[test]
fn several_initial_locations() {
    assert_snapshot!(show(
        "
graph g {
  var x: int;
  init a;
  init b;
  error c;
  a -> b: x' > 0;
  b -> c: x < 0;
}
"
    ));
}

//! `ult run`; `tests/book` and `interpret` have more of it.

use crate::session::Session;

#[test]
fn a_run_against_axioms_proves_nothing() {
    let text = "function f(x: int): int;\n\
                axiom (forall x: int :: f(x) > 0);\n\
                procedure main() { assert f(3) > 0; }\n";
    let session = Session::new(&[("axiom.bpl", text)]);
    let output = session.run(&["run", "axiom.bpl", "--seed", "1"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(matches!(output.status.code(), Some(0 | 4)), "{said}");
}

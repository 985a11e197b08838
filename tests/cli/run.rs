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

#[test]
fn recursion_without_an_end_is_told_in_short() {
    let text = "procedure main() { call main(); }\n";
    let session = Session::new(&[("endless.bpl", text)]);
    for args in [
        &["run", "endless.bpl", "--steps", "100000"][..],
        &["run", "endless.bpl", "--steps", "0", "--timeout", "1"],
        &["run", "endless.bpl", "--steps", "0", "--memory", "300"],
    ] {
        let (code, said) = session.told(args);
        assert_eq!(code, 4, "{said:.1000}");
        assert!(said.len() < 5000, "{args:?}: {} bytes", said.len());
        assert!(
            said.contains("`main` was called at") || said.contains("memory"),
            "{said}"
        );
    }
}

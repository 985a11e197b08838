//! `ult fmt`

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use super::neutral;
use crate::session::Session;

#[test]
fn programs_get_their_usual_layout() {
    let messy = "// first\nprocedure p(){var x:int;x:=1;assert x==1;}// last\n";
    let tidy = "// first\nprocedure p() {\n  var x: int;\n  x := 1;\n  assert x == 1;\n} // last\n";
    let session = Session::new(&[
        ("a.bpl", messy),
        ("b.ult", "graph g{init a;}"),
        ("bad.bpl", "procedure p( {"),
        ("c.c", "int x;"),
        ("tidy.bpl", tidy),
    ]);
    let read = |name: &str| fs::read_to_string(session.path().join(name)).unwrap();
    snapshot!(
        "fmt_check",
        session.story(&["fmt", "--check", "a.bpl", "b.ult", "tidy.bpl"])
    );
    assert_eq!(read("a.bpl"), messy);
    snapshot!("fmt_rejected", session.story(&["fmt", "bad.bpl", "a.bpl"]));
    assert_eq!(read("bad.bpl"), "procedure p( {");
    assert_eq!(read("a.bpl"), tidy);
    let output = session.run(&["fmt", "b.ult", "a.bpl"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    assert_eq!(read("b.ult"), "graph g { init a; }\n");
    assert_eq!(
        session
            .run(&["fmt", "--check", "a.bpl", "b.ult"])
            .status
            .code(),
        Some(0)
    );
    assert_eq!(session.run(&["fmt", "c.c"]).status.code(), Some(2));
    assert_eq!(session.run(&["fmt", "none.bpl"]).status.code(), Some(2));

    // From stdin to stdout.
    let mut child = session
        .command(&["fmt", "--language", "graph"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin
        .write_all(b"graph g{var x:int;init a;a->a:true;}")
        .unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text,
        "graph g {\n  var x: int;\n  init a;\n  a -> a: true;\n}\n"
    );
}

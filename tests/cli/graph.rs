//! `ult graph`

use super::{GRAPH, SAFE, UNSAFE, WRONG, neutral};
use crate::session::Session;

#[test]
fn pictures_of_graphs() {
    let session = Session::new(&[("safe.bpl", SAFE)]);
    snapshot!("graph_source", session.story(&["graph", "safe.bpl"]));
    snapshot!(
        "graph_reduced",
        session.story(&["graph", "--stage", "reduced", "safe.bpl"])
    );
    snapshot!(
        "graph_labelled",
        session.story(&["graph", "--stage", "labelled", "safe.bpl"])
    );
    for (format, start) in [("dot", "digraph"), ("svg", "<svg")] {
        for stage in ["source", "reduced", "labelled"] {
            let args = ["graph", "--stage", stage, "--format", format, "safe.bpl"];
            let output = session.run(&args);
            assert_eq!(output.status.code(), Some(0));
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(text.contains(start), "{stage} {format}: {text}");
        }
    }
    let broken = Session::new(&[("wrong.bpl", WRONG)]);
    let output = broken.run(&["graph", "wrong.bpl"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(output.stdout.is_empty());
}

/// What `ult graph` prints is a program like any other, and means the same.
#[test]
fn printed_graphs_have_the_verdict_of_their_program() {
    let session = Session::new(&[
        ("safe.bpl", SAFE),
        ("unsafe.bpl", UNSAFE),
        ("lights.ult", GRAPH),
    ]);
    for (file, code) in [("safe.bpl", 0), ("unsafe.bpl", 1), ("lights.ult", 0)] {
        for stage in ["source", "reduced", "labelled"] {
            let output = session.run(&["graph", "--stage", stage, "-o", "out.ult", file]);
            assert_eq!(output.status.code(), Some(0));
            let output = session.run(&["check", "out.ult"]);
            let text = String::from_utf8_lossy(&output.stdout);
            // The reductions may see that nothing is violated; then nothing is left to check.
            let code = match text.starts_with("ult: NOTHING") || text.contains("\nult: NOTHING") {
                true if stage != "source" && code == 0 => 6,
                _ => code,
            };
            assert_eq!(output.status.code(), Some(code), "{file}, {stage}: {text}");
        }
    }
}

#[test]
fn what_a_graph_leaves_out_is_said() {
    let text = "\
var x: int;
procedure down(n: int) modifies x; { x := n; if (n > 0) { call down(n - 1); } }
procedure main() modifies x; { call down(3); assert x == 0; }
";
    let session = Session::new(&[("recursive.bpl", text), ("safe.bpl", SAFE)]);
    for stage in ["source", "reduced"] {
        let output = session.run(&["graph", "--stage", stage, "recursive.bpl"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("calls of `down` stand there by its contract"),
            "{said}"
        );
    }
    for args in [
        &["graph", "safe.bpl"][..],
        &["graph", "--calls", "contract", "recursive.bpl"],
    ] {
        assert_eq!(session.run(args).stderr, b"", "{args:?}");
    }
}

/// Terms that occur several times have names, but those within quantifiers have them there.
#[test]
fn printed_graphs_with_quantifiers_are_programs() {
    let text = "\
procedure q(a: [int]int, b: [int]int, n: int)
  requires (forall i: int :: 0 <= i && i < n ==> a[i] * b[i] > 0 && (a[i] * b[i] < 9 || a[i] * b[i] == n));
{
  var i: int;
  i := 0;
  while (i < n)
    invariant (forall j: int :: 0 <= j && j < i ==> a[j] * b[j] > 0 && a[j] * b[j] != 0);
  {
    assert a[i] * b[i] > 0;
    i := i + 1;
  }
}
";
    let session = Session::new(&[("quantified.bpl", text)]);
    for stage in ["source", "reduced", "labelled"] {
        let args = [
            "graph",
            "--timeout",
            "5",
            "--stage",
            stage,
            "-o",
            "out.ult",
            "quantified.bpl",
        ];
        let (code, said) = session.told(&args);
        assert_eq!(code, 0, "{stage}: {said}");
        let (code, said) = session.told(&["graph", "out.ult"]);
        assert!(code == 0 && said.contains("forall"), "{stage}: {said}");
    }
}

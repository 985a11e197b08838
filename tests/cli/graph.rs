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
            assert_eq!(output.status.code(), Some(code), "{file}, {stage}: {text}");
        }
    }
}

//! Texts that are read, from files and from stdin, and those that are rejected.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use super::{GRAPH, SAFE, WRONG, neutral};
use crate::session::Session;

#[test]
fn rejected() {
    let session = Session::new(&[("wrong.bpl", WRONG)]);
    snapshot!("rejected", session.story(&["check", "wrong.bpl"]));
    snapshot!(
        "rejected_json",
        session.story(&["check", "--format", "json", "wrong.bpl"])
    );
}

#[test]
fn standard_input() {
    let session = Session::new(&[]);
    for (language, text, verdict) in [("boogie", SAFE, "SAFE"), ("graph", GRAPH, "SAFE")] {
        let mut child = session
            .command(&["check", "-q", "--language", language, "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.starts_with(&format!("ult: {verdict} <stdin>: ")),
            "{text}"
        );
    }
}

#[test]
fn a_lone_carriage_return_ends_a_line() {
    let clauses = "(set-logic HORN)
(declare-fun p (Int) Bool)
; a fact:\r(assert (forall ((x Int)) (p x)))
(assert (forall ((x Int)) (=> (p x) false)))
(check-sat)
";
    let session = Session::new(&[
        (
            "comment.bpl",
            "procedure p() { assert true; } // the other one:\rprocedure q() { assert false; }\n",
        ),
        (
            "graph.ult",
            "graph g { init a; error e \"reached\"; // to it:\ra -> e: true; }\n",
        ),
        ("clauses.smt2", clauses),
    ]);
    for file in ["comment.bpl", "graph.ult", "clauses.smt2"] {
        let (code, told) = session.told(&["check", file]);
        assert_eq!(code, 1, "{told}");
    }
    let (_, told) = session.told(&["check", "-q", "comment.bpl"]);
    assert!(told.starts_with("ult: UNSAFE comment.bpl:2:17: "), "{told}");
}

#[test]
fn bytes_that_are_no_text() {
    let session = Session::new(&[]);
    fs::write(
        session.path().join("latin1.bpl"),
        b"procedure M\xfcller() {}\n",
    )
    .unwrap();
    snapshot!("not_utf8", session.story(&["check", "latin1.bpl"]));
    let garbage: Vec<u8> = (0..100_000u32)
        .map(|i| (i.wrapping_mul(i) >> 3) as u8)
        .collect();
    fs::write(session.path().join("garbage.bpl"), garbage).unwrap();
    fs::write(session.path().join("nul.bpl"), [0u8; 1000]).unwrap();
    for file in ["garbage.bpl", "nul.bpl"] {
        let output = session.run(&["check", file]);
        assert_eq!(output.status.code(), Some(3), "{file}");
        assert!(output.stdout.len() < 1_000_000, "{file}");
        assert!(output.stderr.is_empty(), "{file}");
    }
}

#[test]
fn a_long_line() {
    let session = Session::new(&[]);
    let long = format!(
        "procedure p() {{ assert {}nothing; }}\n",
        " ".repeat(10_000_000)
    );
    fs::write(session.path().join("long.bpl"), long).unwrap();
    let output = session.run(&["check", "long.bpl"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(text.len() < 2000, "{} bytes", text.len());
    assert!(
        text.ends_with("ult: REJECTED long.bpl:1:10000024: 1 error\n"),
        "{text}"
    );
}

#[test]
fn deep_nesting_and_long_chains() {
    let session = Session::new(&[]);
    let sum = vec!["x"; 20_000].join(" + ");
    let deep = format!("{}x{}", "(".repeat(5000), ")".repeat(5000));
    for (file, expression, code) in [
        ("chain.bpl", format!("{sum} == 20000 * x"), 0),
        ("deep.bpl", format!("{deep} == x"), 0),
        ("unclosed.bpl", "(".repeat(200_000), 3),
    ] {
        let text = format!("procedure p(x: int) {{ assert {expression}; }}\n");
        fs::write(session.path().join(file), text).unwrap();
        let output = session.run(&["check", "--timeout", "100", file]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{file}: {text}");
    }
}

//! `--modular`: what is violated, and what is not implied by what the program states; and what UNKNOWN says.

use crate::session::Session;

const STATED: &str = "procedure P(n: int) returns (r: int) requires n >= 0; {
  var i: int; i := 0; r := 0;
  while (i < n) invariant i <= n; { i := i + 1; r := r + 1; }
  assert r == n;
  assert r < 4;
}
procedure Callee(x: int) returns (y: int) { y := x + 1; }
procedure Caller() { var z: int; call z := Callee(1); assert z == 2; }
procedure Library(x: int) returns (y: int); ensures x < y && y < x + 3;
procedure UsesIt() { var z: int; call z := Library(1); assert z == 2; }
procedure Plain(n: int) { assert n > 0; }
";

#[test]
fn what_does_not_follow_is_no_violation() {
    let session = Session::new(&[("stated.bpl", STATED)]);
    let (code, told) = session.told(&["check", "--modular", "stated.bpl", "--timeout", "60"]);
    // The second assertion is violated by a run from the start, the others behind calls are not.
    assert_eq!(code, 1, "{told}");
    insta::assert_snapshot!(format!("{STATED}----\n{told}"));
    // Boogie calls all of them errors.
    let (_, told) = session.told(&["boogie", "/nologo", "stated.bpl"]);
    assert!(told.contains("stated.bpl(4,"), "{told}");
    assert!(told.contains("stated.bpl(5,"), "{told}");
}

#[test]
fn exit_codes_and_machines_tell_them_apart() {
    let follows = STATED.lines().take(4).collect::<Vec<_>>().join("\n") + "\n}\n";
    let session = Session::new(&[("stated.bpl", &follows)]);
    let output = session.run(&["check", "--modular", "stated.bpl", "--timeout", "60"]);
    assert_eq!(output.status.code(), Some(4));
    let report = session.json(&["check", "--modular", "stated.bpl", "--timeout", "60"]);
    let obligations = report["units"][0]["obligations"].as_array().unwrap();
    let open: Vec<_> = obligations
        .iter()
        .filter(|one| one["verdict"] == "UNKNOWN")
        .collect();
    let [open] = open[..] else {
        panic!("{report:#}");
    };
    assert_eq!(open["reason"]["code"], "not-proved");
    assert_eq!(open["missing"][0]["line"], 3);
    let missing = open["missing"][0]["text"].as_str().unwrap();
    assert!(
        missing.starts_with("invariant ") && missing.contains('r'),
        "{missing}"
    );
    assert!(!open["run"].as_array().unwrap().is_empty());
    assert!(!open["cause"].is_null());
    // With what is offered, it is proved.
    let mended = follows.replace("invariant i <= n;", &format!("invariant i <= n; {missing}"));
    let session = Session::new(&[("stated.bpl", &mended)]);
    let (code, told) = session.told(&["check", "--modular", "stated.bpl", "--timeout", "60"]);
    assert_eq!(code, 0, "{told}");
}

const WEAK: &str = "procedure Callee(x: int) returns (y: int)
{
  y := x + 1;
}
procedure Caller()
{
  var z: int;
  call z := Callee(1);
  assert z == 2;
}
";

#[test]
fn what_a_contract_lacks_for_a_caller_is_offered() {
    let session = Session::new(&[("weak.bpl", WEAK)]);
    let args = ["check", "--modular", "weak.bpl", "--timeout", "60"];
    let (code, told) = session.told(&args);
    assert_eq!(code, 4, "{told}");
    insta::assert_snapshot!(format!("{WEAK}----\n{told}"));
    let report = session.json(&args);
    let units = report["units"].as_array().unwrap();
    let caller = units.iter().find(|unit| unit["name"] == "Caller").unwrap();
    let missing = &caller["obligations"][0]["missing"][0];
    assert_eq!(missing["line"], 1, "{caller:#}");
    let clause = missing["text"].as_str().unwrap();
    assert!(clause.starts_with("ensures "), "{clause}");
    // With what is offered, both are proved.
    let mended = WEAK.replacen("(y: int)\n", &format!("(y: int)\n  {clause}\n"), 1);
    let session = Session::new(&[("weak.bpl", &mended)]);
    let (code, told) = session.told(&args);
    assert_eq!(code, 0, "{told}");
    // No contract makes up for a violation.
    let wrong = WEAK.replace("z == 2", "z == 3");
    let session = Session::new(&[("weak.bpl", &wrong)]);
    let (code, told) = session.told(&args);
    assert_eq!(code, 1, "{told}");
    assert!(!told.contains("it is proved with"), "{told}");
}

#[test]
fn unknown_says_what_was_covered_and_what_is_left() {
    // `bmc` asks short questions, and never ends here.
    let text = "procedure lottery() {
  var x: int;
  x := 0;
  while (true) {
    x := (1103515245 * x + 12345) mod 2147483648;
    assert x != 7;
  }
}
";
    let session = Session::new(&[("lottery.bpl", text)]);
    let (code, told) = session.told(&["check", "lottery.bpl", "--engine", "bmc", "--timeout", "5"]);
    assert_eq!(code, 4, "{told}");
    assert!(
        told.contains("  still open: the loop at line 4\n"),
        "{told}"
    );
    assert!(
        told.contains("  next: write an `invariant` for it"),
        "{told}"
    );
    let covered = told.split("no violation in the first ").nth(1);
    let steps = covered.and_then(|rest| rest.split(' ').next()?.parse::<u64>().ok());
    assert!(steps.is_some_and(|steps| steps > 1), "{told}");
    assert!(!told.contains("time limit that holds"), "{told}");
    let report = session.json(&["check", "lottery.bpl", "--engine", "bmc", "--timeout", "5"]);
    let obligation = &report["units"][0]["obligations"][0];
    assert_eq!(obligation["loops"], serde_json::json!([4]));
}

/// Without loops, and where nothing can be written into the program.
#[test]
fn unknown_says_what_to_do_only_where_that_can_be_done() {
    let text = "procedure p(x: int) { assert x * x != 3 * x + 1; }\n";
    let graph = "graph g {\n  var x: int;\n  init a;\n  error bad;\n  a -> b: x' > 0;\n  b -> b: x' == x * x - x;\n  b -> bad: x == 7;\n}\n";
    let session = Session::new(&[("p.bpl", text), ("g.ult", graph)]);
    let (code, told) = session.told(&["check", "p.bpl", "--engine", "intervals"]);
    assert_eq!(code, 4, "{told}");
    let next = "\n  next: write an `assert` before it with what it follows from\n";
    assert!(told.contains(next), "{told}");
    let (code, told) = session.told(&["check", "g.ult", "--engine", "intervals"]);
    assert_eq!(code, 4, "{told}");
    assert!(
        told.contains("  still open: the loop at line 5\n"),
        "{told}"
    );
    assert!(!told.contains("  next: "), "{told}");
}

/// Squares of squares: no engine goes on with them when the time is over.
#[test]
fn numbers_that_grow_hold_nobody_up() {
    let text = "procedure p(n: int) { var x: int; x := 3; while (x != n) { x := x * x; } assert n != 5; }\n";
    let session = Session::new(&[("p.bpl", text)]);
    for engine in ["execution", "explicit"] {
        let (_, told) = session.told(&["check", "p.bpl", "--engine", engine, "--timeout", "20"]);
        assert!(told.contains("ult: UNKNOWN(incomplete)"), "{told}");
        assert!(told.contains("  p.bpl:1:74: assertion"), "{told}");
    }
}

const NEARLY: &str = "procedure powers(n: int)
  requires n >= 0;
{
  var i, p: int;
  i, p := 0, 1;
  while (i < n) {
    p := p + p;
    i := i + 1;
  }
  assert p != 12;
}
";

#[test]
fn unknown_shows_what_nearly_was_an_invariant() {
    let session = Session::new(&[("powers.bpl", NEARLY)]);
    let args = ["check", "powers.bpl", "--engine", "intervals"];
    let (code, told) = session.told(&args);
    assert_eq!(code, 4, "{told}");
    insta::assert_snapshot!(format!("{NEARLY}----\n{told}"));
    let report = session.json(&args);
    let candidate = &report["units"][0]["obligations"][0]["candidate"];
    assert_eq!(candidate["line"], 6, "{candidate}");
    let state = candidate["fails_from"].as_array().unwrap();
    let p = state
        .iter()
        .find(|variable| variable["name"] == "p")
        .unwrap();
    assert_eq!(p["value"], "6");
    // It is a hint: written into the program, it is not proved.
    let formula = candidate["formula"].as_str().unwrap();
    let with = NEARLY.replace("(i < n) {", &format!("(i < n) invariant {formula}; {{"));
    let session = Session::new(&[("powers.bpl", &with)]);
    let report = session.json(&["check", "--modular", "powers.bpl"]);
    let verdicts: Vec<_> = report["units"][0]["obligations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["kind"].as_str().unwrap(), one["verdict"] == "SAFE"))
        .collect();
    // It suffices, and holds at first, and is not inductive.
    assert!(verdicts.contains(&("assert", true)), "{verdicts:?}");
    assert!(
        verdicts.contains(&("invariant-initiation", true)),
        "{verdicts:?}"
    );
    assert!(
        verdicts.contains(&("invariant-consecution", false)),
        "{verdicts:?}"
    );
}

#[test]
fn odd_bytes_in_comments_are_read() {
    let session = Session::new(&[]);
    let write = |name: &str, text: &[u8]| std::fs::write(session.path().join(name), text).unwrap();
    write(
        "comment.bpl",
        b"// gr\xfc\xdfe /*\nprocedure p() { assert 1 < 2; /* \xe4 */ }\n",
    );
    write("code.bpl", b"procedure p\xe4() { assert 1 < 2; }\n");
    let (code, told) = session.told(&["check", "comment.bpl"]);
    assert_eq!(code, 0, "{told}");
    let (code, told) = session.told(&["check", "code.bpl"]);
    assert_eq!(code, 3, "{told}");
}

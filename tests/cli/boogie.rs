//! `ult boogie`

use super::neutral;
use crate::session::Session;

const PROGRAM: &str = "\
procedure divide(a: int, b: int) returns (q: int);
  requires b != 0;
  ensures q * b <= a;

procedure half(n: int) returns (r: int)
  ensures 2 * r <= n;
{
  if (n == 0) {
    r := 1;
    return;
  }
  call r := divide(n, 2);
}

procedure wrong(n: int)
{
  var i, r: int;
  i := n;
  while (i > 0)
    invariant i >= 0;
    invariant i != 2;
  {
    i := i - 1;
  }
  call r := divide(n, r);
  assert {:msg \"nobody knows\"} r == n;
  assert r > n;
}

procedure fine(n: int)
{
  assert n < n + 1;
}
";

#[test]
fn what_is_found_is_told_in_boogies_words() {
    let session = Session::new(&[("f.bpl", PROGRAM)]);
    let words = [
        "boogie",
        "/nologo",
        "/errorTrace:0",
        "/timeLimit:30",
        "f.bpl",
    ];
    snapshot!("boogie", session.story(&words));
    let words = [
        "boogie",
        "-useBaseNameForFileName",
        "--proc",
        "*i*",
        "-noProc:wrong",
        "-trace",
        "./f.bpl",
    ];
    snapshot!("boogie_chosen", session.story(&words));
    snapshot!(
        "boogie_limited",
        session.story(&[
            "boogie",
            "/errorLimit:1",
            "/quiet",
            "/errorTrace:0",
            "f.bpl"
        ])
    );
}

#[test]
fn programs_are_rejected_in_boogies_words() {
    let session = Session::new(&[
        ("syntax.bpl", "procedure p( {"),
        ("names.bpl", "procedure p() { x := 1; assert y; }"),
        ("types.bpl", "procedure p() { assert 1; }"),
        ("modifies.bpl", "var g: int;\nprocedure p() { g := 1; }\n"),
    ]);
    for (file, step) in [
        ("syntax.bpl", "1 parse errors detected in syntax.bpl"),
        (
            "names.bpl",
            "2 name resolution errors detected in names.bpl",
        ),
        ("types.bpl", "1 type checking errors detected in types.bpl"),
        (
            "modifies.bpl",
            "1 type checking errors detected in modifies.bpl",
        ),
    ] {
        let output = session.run(&["boogie", file]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().last(), Some(step), "{text}");
        assert!(text.starts_with(&format!("{file}(")), "{text}");
        assert_eq!(output.status.code(), Some(0), "{file}");
    }
    let output = session.run(&["boogie", "/inferModifies", "modifies.bpl"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text,
        "\nBoogie program verifier finished with 1 verified, 0 errors\n"
    );
}

#[test]
fn a_wrong_command_line_is_refused() {
    let session = Session::new(&[("f.bpl", PROGRAM)]);
    for words in [
        &["boogie"][..],
        &["boogie", "/timeLimit:soon", "f.bpl"],
        &["boogie", "missing.bpl"],
        &["boogie", "/lib:base", "f.bpl"],
    ] {
        let output = session.run(words);
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert!(
            output.stdout.is_empty() && !output.stderr.is_empty(),
            "{words:?}"
        );
    }
    let output = session.run(&["boogie", "/noVerify", "/loopUnroll:2", "-nonsense", "f.bpl"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("`/loopUnroll`") && told.contains("`-nonsense`"),
        "{told}"
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn several_files_are_one_program() {
    let session = Session::new(&[
        ("a.bpl", "procedure p() { call q(0); }"),
        ("b.bpl", "procedure q(n: int);\n  requires n > 0;\n"),
        ("c.bpl", "procedure c() { assert false; }"),
    ]);
    let words = ["boogie", "/errorTrace:0", "a.bpl", "b.bpl"];
    let text = String::from_utf8(session.run(&words).stdout).unwrap();
    for line in [
        "a.bpl(1,17): Error: a precondition for this call could not be proved",
        "b.bpl(2,3): Related location: this is the precondition that could not be proved",
        "finished with 0 verified, 1 error",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let words = [
        "boogie",
        "/verifySeparately",
        "/errorTrace:0",
        "c.bpl",
        "b.bpl",
    ];
    let text = String::from_utf8(session.run(&words).stdout).unwrap();
    assert_eq!(text.matches("Boogie program verifier finished").count(), 2);
}

#[test]
fn programs_and_outcomes_are_written_to_files() {
    let session = Session::new(&[("f.bpl", PROGRAM)]);
    session.run(&["boogie", "/print:out.bpl", "/xml:out.xml", "f.bpl"]);
    let read = |name: &str| std::fs::read_to_string(session.path().join(name)).unwrap();
    assert!(read("out.bpl").contains("procedure divide"));
    let xml = read("out.xml");
    let document = roxmltree::Document::parse(&xml).unwrap();
    let outcomes: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("method"))
        .map(|method| {
            let conclusion = method
                .children()
                .find(|node| node.has_tag_name("conclusion"));
            let outcome = conclusion.and_then(|node| node.attribute("outcome"));
            (method.attribute("name").unwrap(), outcome.unwrap())
        })
        .collect();
    assert_eq!(
        outcomes,
        [("half", "errors"), ("wrong", "errors"), ("fine", "correct")]
    );
}

/// Candidates are found values for where Boogie does, and nowhere else.
#[test]
fn candidates_hold_or_do_not() {
    let text = "const {:existential true} b, c, unused: bool;
procedure up(n: int) returns (r: int)
  ensures b ==> r > n;
  ensures c ==> r == n;
{ r := n + 1; }
procedure p() {
  var r: int;
  call r := up(1);
  assert r > 1;
}
";
    let session = Session::new(&[("candidates.bpl", text)]);
    let with = ["boogie", "/nologo", "/contractInfer", "/printAssignment"];
    snapshot!(
        "boogie_candidates",
        session.story(&[&with[..], &["candidates.bpl"]].concat())
    );
    let without = session.run(&["boogie", "/errorTrace:0", "candidates.bpl"]);
    let said = String::from_utf8_lossy(&without.stdout);
    assert!(said.contains("0 verified, 2 errors"), "{said}");
}

/// Boogie's preprocessor knows which file of the command line it is in.
#[test]
fn lines_are_chosen_by_the_number_of_their_file() {
    let text = "#if FILE_0\nprocedure p() { assert false; }\n#else\nprocedure q() { assert true; }\n#endif\n";
    let session = Session::new(&[
        ("a.bpl", text),
        ("b.bpl", "procedure r() { assert true; }\n"),
    ]);
    let (_, told) = session.told(&["boogie", "a.bpl"]);
    assert!(
        told.contains("a.bpl(2,17): Error") && told.contains("0 verified, 1 error"),
        "{told}"
    );
    let (_, told) = session.told(&["boogie", "b.bpl", "a.bpl"]);
    assert!(told.contains("2 verified, 0 errors"), "{told}");
    let (code, told) = session.told(&["check", "a.bpl"]);
    assert!(code == 1 && told.contains("a.bpl:2:17"), "{told}");
}

/// Loops in many forms; behind each assertion stands in which round, counted from one, it fails first.
const LOOPS: &str = "\
procedure structured(n: int)
{
  var i: int;
  i := 0;
  while (i < n)
    invariant i != 3; // after 3 rounds
  {
    assert i != 1; // 2
    i := i + 1;
  }
  assert i == 0; // after it was left, which is in round 1 + 1
}

procedure jumps(n: int)
{
  var i: int;
  i := 0;
  goto inside, head;
head:
  assert i < 4; // after 4 rounds
  i := i + 1;
  goto inside, done;
inside:
  assume i <= n;
  goto head;
done:
  assert i != 1; // 1
}

procedure nested(n: int)
{
  var i, j: int;
  i := 0;
  while (i < n) {
    j := 0;
    while (j < n) {
      assert i + j < 2; // 2 of both together
      j := j + 1;
      if (j == 5) { break; }
    }
    i := i + 1;
  }
}

procedure at_once()
{
begin:
  goto begin, end;
end:
  assert false; // 1
}

procedure without()
{
  assert false; // always
}

procedure never(n: int)
{
  while (true) { assert n < n + 1; }
}
";

#[test]
fn loops_are_followed_for_some_rounds() {
    let session = Session::new(&[("loops.bpl", LOOPS)]);
    let mut story = String::new();
    for rounds in 0..5 {
        let option = format!("/loopUnroll:{rounds}");
        let words = [
            "boogie",
            "/errorTrace:0",
            "/errorLimit:0",
            &option,
            "loops.bpl",
        ];
        story += &session.story(&words);
    }
    let words = [
        "boogie",
        "/loopUnroll:2",
        "/soundLoopUnrolling",
        "/errorTrace:0",
        "loops.bpl",
    ];
    story += &session.story(&words);
    snapshot!("boogie_loop_unroll", story);
}

//! Circuits in AIGER, BTOR2 and DimSpec: messages, conversions, witnesses, and a second opinion.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use super::neutral;
use crate::session::Session;
use crate::tools;

/// A counter of two bits that an input lets go on.
const COUNT: &str = "\
aag 10 1 2 0 7 1
2
4 12
6 18
20
8 4 2
10 5 3
12 9 11
14 6 8
16 7 9
18 15 17
20 6 4
i0 enable
l0 low
l1 high
b0 both
";

/// What is even stays even; one state has no first value, another no next one.
const WORDS: &str = "\
1 sort bitvec 1
2 sort bitvec 4
3 input 2 step
4 one 2
5 sll 2 3 4
6 state 2 x
7 zero 2
8 init 2 6 7
9 add 2 6 5
10 next 2 6 9
11 slice 1 6 0 0
12 state 2 start
13 next 2 12 12
14 state 1 free
15 constd 2 12
16 eq 1 6 15
17 ugt 1 12 15
18 and 1 16 17
19 and 1 18 14
20 bad 19 twelve
";

const CLAUSES: &str = "\
c a counter
i cnf 2 2
-1 0
-2 0
u cnf 2 0
g cnf 2 2
1 0
2 0
t cnf 4 6
1 3 0
-1 -3 0
-4 1 2 0
-4 -1 -2 0
4 -1 2 0
4 1 -2 0
";

/// Two latches that change places.
const SWAP: &str = "\
aag 3 0 2 0 1 1
2 4 0
4 2 1
6
6 2 4
";

fn session() -> Session {
    Session::new(&[
        ("count.aag", COUNT),
        ("words.btor2", WORDS),
        ("clauses.dimspec", CLAUSES),
        ("swap.aag", SWAP),
    ])
}

#[test]
fn mistakes_are_told_with_their_places() {
    let truncated = &COUNT[..COUNT.len() / 2];
    let files = [
        ("truncated.aag", truncated),
        ("undefined.aag", "aag 3 0 1 0 1 1\n2 4\n2\n6 2 3\n"),
        ("cycle.aag", "aag 2 0 0 0 2 1\n2\n2 4 1\n4 2 1\n"),
        ("justice.aag", "aag 1 0 1 0 0 0 0 1\n2 2\n1\n2\n"),
        (
            "sorts.btor2",
            "1 sort bitvec 1\n2 sort bitvec 2\n3 state 2\n4 and 1 3 -5\n5 add 1 1 3\n6 fair 3\n",
        ),
        (
            "init.btor2",
            "1 sort bitvec 1\n2 state 1\n3 state 1\n4 init 1 2 3\n5 init 1 3 2\n",
        ),
        (
            "clauses.dimspec",
            "i cnf 1 1\n1 0\nu cnf 2 0\ng cnf 1 2\n1 0\nt cnf 2 0\n",
        ),
        (
            "missing.dimspec",
            "c no goals\ni cnf 1 0\nu cnf 1 0\nt cnf 2 0\n",
        ),
    ];
    let session = Session::new(&files);
    let binary = b"aig 3 1 1 0 1 1\n6 1\n7\n\x82";
    fs::write(session.path().join("broken.aig"), binary).unwrap();
    let mut told = String::new();
    let names = files.iter().map(|(name, _)| *name);
    for name in names.chain(["broken.aig"]) {
        let output = session.run(&["check", name]);
        assert_eq!(output.status.code(), Some(3), "{name}");
        told += &String::from_utf8(output.stderr).unwrap();
        told += &String::from_utf8(output.stdout).unwrap();
    }
    snapshot!("circuits_rejected", told);
}

#[test]
fn witnesses_of_circuits() {
    let session = session();
    let mut told = String::new();
    for (file, code) in [
        ("count.aag", 1),
        ("words.btor2", 1),
        ("clauses.dimspec", 1),
        ("swap.aag", 0),
    ] {
        let output = session.run(&["check", file, "--engine", "ic3", "--witness", "witness"]);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let _ = writeln!(told, "== {file}");
        told += &String::from_utf8(output.stdout).unwrap();
        told += "-- witness\n";
        told += &fs::read_to_string(session.path().join("witness")).unwrap();
    }
    snapshot!("circuits_witnesses", told);
    // A witness circuit is a circuit, and SAFE.
    fs::rename(
        session.path().join("witness"),
        session.path().join("witness.aag"),
    )
    .unwrap();
    let output = session.run(&["check", "witness.aag"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn circuits_are_converted() {
    let session = session();
    for (file, code) in [
        ("count.aag", 1),
        ("words.btor2", 1),
        ("clauses.dimspec", 1),
        ("swap.aag", 0),
    ] {
        for (format, name) in [
            ("aiger", "out.aag"),
            ("aiger", "out.aig"),
            ("btor2", "out.btor2"),
            ("dimspec", "out.dimspec"),
            ("chc", "out.smt2"),
        ] {
            let output = session.run(&["export", file, "--format", format, "-o", name]);
            assert_eq!(output.status.code(), Some(0), "{file}, {name}: {output:?}");
            let output = session.run(&["check", name, "--timeout", "50"]);
            assert_eq!(
                output.status.code(),
                Some(code),
                "{file}, {name}: {output:?}"
            );
        }
        let output = session.run(&["graph", file, "-o", "out.ult"]);
        assert_eq!(output.status.code(), Some(0), "{file}: {output:?}");
        let output = session.run(&["check", "out.ult", "--timeout", "50"]);
        assert_eq!(output.status.code(), Some(code), "{file}: {output:?}");
    }
    let binary = fs::read(session.path().join("out.aig")).unwrap();
    assert!(binary.starts_with(b"aig "));
}

/// What ABC says about a file: whether it is bad. What it reads with `read` starts with 0 where it could
/// start with anything.
fn abc(session: &Session, command: &str) -> Option<bool> {
    let output = Command::new("berkeley-abc")
        .args(["-q", &format!("&r out.aig; &put; {command}")])
        .current_dir(session.path())
        .output()
        .expect("it is there");
    let said = String::from_utf8_lossy(&output.stdout);
    match (
        said.contains("was asserted in frame"),
        said.contains("Property proved"),
    ) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

#[test]
fn abc_agrees() {
    if Command::new("berkeley-abc").arg("-h").output().is_err() {
        tools::missing(
            "berkeley-abc",
            "what another model checker says about exported circuits",
        );
        return;
    }
    let session = session();
    let mut compared = 0;
    let corpus = crate::root().join("tests/corpus/circuits");
    let entries = fs::read_dir(corpus).unwrap();
    for path in entries.map(|entry| entry.unwrap().path()) {
        let text = fs::read_to_string(&path).unwrap();
        let expected = text.lines().find_map(|line| line.split_once("# expect: "));
        let expected = expected.unwrap_or_else(|| panic!("{path:?}")).1;
        let name = path.to_str().unwrap();
        if expected.starts_with("rejected") {
            continue;
        }
        let output = session.run(&["export", name, "--format", "aiger", "-o", "out.aig"]);
        if output.status.code() != Some(0) {
            // Arrays have no circuit, and where nothing is bad there is nothing to write.
            let is_known = text.contains("array") || text.contains("nothing to check");
            assert!(is_known, "{path:?}: {output:?}");
            continue;
        }
        // It has a bad more than the program, and which of them is meant ABC does not say.
        let written = fs::read(session.path().join("out.aig")).unwrap();
        if written.windows(10).any(|part| part == b" elsewhere") {
            continue;
        }
        let is_bad = expected.starts_with("unsafe");
        if let Some(found) = abc(&session, "pdr") {
            compared += 1;
            assert_eq!(found, is_bad, "{path:?}");
        }
        if is_bad {
            assert_eq!(abc(&session, "bmc3 -F 50"), Some(true), "{path:?}");
        }
    }
    assert!(compared > 15, "{compared}");
}

/// What `ult` says of the circuit of a program, as a file.
fn read_back(session: &Session, arguments: &[&str], format: &str, file: &str) -> String {
    let export = [
        &["export"][..],
        arguments,
        &["--format", format, "-o", file],
    ];
    let output = session.run(&export.concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    session.told(&["check", "--engine", "ic3", file]).1
}

#[test]
fn a_protocol_with_a_table_is_exported() {
    let session = session();
    let examples = crate::root().join("examples/ppp");
    for (name, verdict) in [
        ("lcp.c", "ult: SAFE"),
        ("lcp_terminate_ack.c", "ult: UNSAFE"),
    ] {
        let path = examples.join(name);
        let program = [
            path.to_str().unwrap(),
            "--property",
            "unreach-call",
            "--int-encoding",
            "bits",
        ];
        for (format, file) in [("aiger", "ppp.aig"), ("btor2", "ppp.btor2")] {
            let told = read_back(&session, &program, format, file);
            assert!(told.contains(verdict), "{name}: {told}");
        }
        if Command::new("berkeley-abc").arg("-h").output().is_ok() {
            fs::rename(
                session.path().join("ppp.aig"),
                session.path().join("out.aig"),
            )
            .unwrap();
            let found = abc(&session, "orpos; pdr");
            assert_eq!(found, Some(verdict.contains("UNSAFE")), "{name}");
        }
    }
}

/// What is read at an index that no cell has.
const BEYOND: &str = "\
function {:bvbuiltin \"bvugt\"} gt(x: bv32, y: bv32): bool;
var m: [bv32]bv8;
procedure never(i: bv32) { assume gt(i, 70000bv32) && m[i] == 5bv8; assert m[i] == 5bv8; }
procedure once(i: bv32) { assume gt(i, 70000bv32); if (m[i] == 5bv8) { assert m[1bv32] == 5bv8; } }
procedure within(i: bv32) { if (gt(2bv32, i)) { assert m[i] != 5bv8; } }
";

#[test]
fn a_file_says_where_it_does_not_know_what_is_read() {
    let session = Session::new(&[("beyond.bpl", BEYOND)]);
    // Programs that are safe and violated, both in a way that the file does not know; and one that is violated where it does.
    for (entry, verdict, bad, other) in [
        ("never", "SAFE", "elsewhere", "error1"),
        ("once", "UNSAFE", "elsewhere", "error1"),
        ("within", "UNSAFE", "error1", "elsewhere"),
    ] {
        let program = ["beyond.bpl", "--entry", entry];
        let told = session.told(&[&["check"], &program[..]].concat()).1;
        assert!(
            told.contains(&format!("ult: {verdict} ")),
            "{entry}: {told}"
        );
        let told = read_back(&session, &program, "btor2", "beyond.btor2");
        let says = |name: &str| told.contains(&format!("bad state `{name}` violated"));
        assert!(says(bad) && !says(other), "{entry}: {told}");
    }
}

/// A loop with branches, and what is true and false of it.
const BRANCHES: &str = "\
function {:bvbuiltin \"bvadd\"} add(x: bv8, y: bv8): bv8;
procedure safe(step: bv8) {
  var x, y: bv8;
  x, y := 0bv8, 1bv8;
  while (*) {
    if (step[1:0] == 1bv1) { x := add(x, 2bv8); } else { x := add(x, 4bv8); y := add(y, 2bv8); }
    assert x[1:0] != y[1:0];
  }
}
procedure unsafe(step: bv8) {
  var x: bv8;
  x := 0bv8;
  while (x != 9bv8) {
    if (step[1:0] == 1bv1) { x := add(x, 1bv8); } else { x := add(x, 3bv8); }
  }
  assert step != 5bv8;
}
";

#[test]
fn verdicts_do_not_depend_on_how_a_program_becomes_a_circuit() {
    let session = Session::new(&[("branches.bpl", BRANCHES)]);
    for stepping in ["loop-steps", "block-steps", "edge-steps"] {
        for counter in ["binary", "one-hot"] {
            for search in [
                "each-depth",
                "both-ends",
                "exponential",
                "unpruned",
                "tr",
                "tr-all",
            ] {
                let circuit = format!("{stepping},{counter},{search}");
                let found = |engine: &str, entry: &str| {
                    let args = [
                        "check",
                        "--engine",
                        engine,
                        "--entry",
                        entry,
                        "--circuit",
                        &circuit,
                        "branches.bpl",
                    ];
                    session.told(&args).1
                };
                let told = found("bits-bmc", "unsafe");
                assert!(told.contains("unsafe: UNSAFE"), "{circuit}: {told}");
                // These are about unrolling.
                if ["each-depth", "tr"].contains(&search) {
                    let told = found("ic3", "safe");
                    assert!(told.contains("safe: SAFE"), "{circuit}: {told}");
                }
            }
        }
    }
    // The solver that is always there decides by itself.
    let (code, told) = session.told(&["check", "--circuit", "sc", "branches.bpl"]);
    assert!(
        code == 2 && told.contains("CaDiCaL") || cfg!(feature = "cadical"),
        "{told}"
    );
    let (code, told) = session.told(&["check", "--circuit", "two-hot", "branches.bpl"]);
    assert_eq!(code, 2, "{told}");
}

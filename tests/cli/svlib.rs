//! Programs in SV-LIB: witnesses that are right, and what is refused.

use crate::session::Session;

const COUNT: &str = "\
(set-logic LIA)
(declare-const a Int)
(define-proc main ((n Int)) ((r Int)) ((k Int))
  (! (sequence
       (assume (<= 0 n))
       (assign (r 0) (k n))
       (! (while (< 0 k) (assign (r (+ r 1)) (k (- k 1)))) :tag loop)
       (! (sequence) :tag end :check-true (= r n)))
     :tag main))
(verify-call main (a))
(get-witness)
";

/// Correct by an invariant that is enough.
const RIGHT: &str =
    "((set-info :producer \"me\") (annotate-tag loop :invariant (and (<= 0 k) (= (+ r k) n))))";

/// A program with choices of all kinds.
const CHOICES: &str = "\
(declare-const k Int)
(declare-var g Int)
(define-proc add ((x Int)) ((y Int)) () (! (assign (y (+ x y))) :tag add))
(define-proc main () () ((x Int))
  (! (sequence
       (havoc x)
       (choice ((call add (x) (g)) (assign (g k))))
       (! (sequence) :tag end :check-true (not (= g 5))))
     :tag main))
(verify-call main ())
";

fn trace(model: i32, values: &str, last: &str) -> String {
    format!(
        "((select-trace (model (define-fun k () Int {model})) (init-global-vars (g 1)) (entry-proc main)\n\
         (steps (init-proc-vars main) {values})\n(incorrect-annotation {last})))"
    )
}

const END: &str = "end :check-true (not (= g 5))";

/// The exit code and the first line of `ult validate`.
fn validated(program: &str, witness: &str) -> (i32, String) {
    let session = Session::new(&[("p.svlib", program), ("w.svlib", witness)]);
    let (code, text) = session.told(&["validate", "w.svlib", "p.svlib"]);
    (code, text.lines().next().unwrap_or_default().to_owned())
}

#[test]
fn correctness_witnesses_are_validated() {
    assert_eq!(validated(COUNT, RIGHT).0, 0);
    for wrong in [
        // Not enough, not inductive, not true.
        "((annotate-tag loop :invariant (= (+ r k) n)))",
        "((annotate-tag loop :invariant (<= 0 k)))",
        "((annotate-tag loop :invariant (and (<= 1 k) (= (+ r k) n))))",
        "((annotate-tag end :check-true (= r 5)))",
        "((annotate-tag main :ensures (= r (+ n 1))))",
    ] {
        let (code, told) = validated(COUNT, wrong);
        assert_eq!(code, 1, "{wrong}: {told}");
    }
    for refused in [
        "((assert false))",
        "((annotate-tag main :requires false))",
        "((annotate-tag loop :invariant (= unknown 0)))",
        "((define-proc main () () () (sequence)))",
        "",
    ] {
        let (code, told) = validated(COUNT, refused);
        assert_eq!(code, 3, "{refused}: {told}");
    }
}

#[test]
fn violation_witnesses_are_validated() {
    for right in [
        trace(5, "(havoc (x 9)) (choice 1)", END),
        trace(
            0,
            "(havoc (x 2)) (choice 0) (init-proc-vars add (y 3))",
            END,
        ),
    ] {
        let (code, told) = validated(CHOICES, &right);
        assert_eq!(code, 0, "{right}: {told}");
    }
    for wrong in [
        trace(4, "(havoc (x 9)) (choice 1)", END),
        trace(
            5,
            "(havoc (x 9)) (choice 0) (init-proc-vars add (y 3))",
            END,
        ),
        trace(5, "(havoc (x 9)) (choice 2)", END),
        trace(5, "(choice 1)", END),
        trace(5, "(havoc (g 9)) (choice 1)", END),
        trace(5, "(havoc (x 9)) (choice 1) (choice 1)", END),
        trace(5, "(leap end (g 5)) (havoc (x 9)) (choice 1)", END),
    ] {
        let (code, told) = validated(CHOICES, &wrong);
        assert_eq!(code, 1, "{wrong}: {told}");
    }
    for refused in [
        trace(5, "(havoc (x 9)) (choice 1)", "end :check-true (= g 5)"),
        trace(
            5,
            "(havoc (x 9)) (choice 1)",
            "main :check-true (not (= g 5))",
        ),
        trace(5, "(havoc (z 9)) (jump 1)", END),
    ] {
        let (code, told) = validated(CHOICES, &refused);
        assert_eq!(code, 3, "{refused}: {told}");
    }
}

#[test]
fn a_trace_proves_nothing() {
    let trace = trace(4, "(havoc (x 9)) (choice 1)", END);
    let trace = trace.trim_start_matches('(').trim_end_matches(')');
    let program = CHOICES.replace("(verify-call", &format!("({trace}))))\n(verify-call"));
    let session = Session::new(&[("p.svlib", &program)]);
    let (code, told) = session.told(&["check", "p.svlib"]);
    assert_eq!(code, 4, "{told}");
}

#[test]
fn messages_have_places() {
    let text = "(define-proc main ((n Int)) () () (assign (n true)))\n(verify-call main ())\n";
    let session = Session::new(&[("p", text)]);
    let (code, told) = session.told(&["check", "--language", "sv-lib", "p"]);
    assert_eq!(code, 3, "{told}");
    assert!(told.contains("E0806") && told.contains("E0804"), "{told}");
}

/// The exit code of `ult check --witness` for a program, and the witness, or why there is none.
fn witnessed(program: &str) -> (i32, Result<String, String>) {
    let session = Session::new(&[("p.svlib", program)]);
    let output = session.run(&[
        "check",
        "p.svlib",
        "--witness",
        "w.svlib",
        "--timeout",
        "30",
    ]);
    let code = output.status.code().expect("an exit code");
    let witness = std::fs::read_to_string(session.path().join("w.svlib"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (code, witness.map_err(|_| said))
}

/// The loop is in a procedure that is called, has a name that needs bars, and the program has words for variables.
const CALLED: &str = "\
(declare-const limit Int)
(declare-var |the sum| Int)
(assert (< 2 limit))
(define-proc count ((n Int)) ((at Int)) ((v (_ BitVec 8)))
  (! (sequence
       (assign (at 0) (|the sum| 0))
       (! (while (< at n) (assign (at (+ at 1)) (|the sum| (+ |the sum| 2)))) :tag |the loop|))
     :tag count))
(define-proc main () ((r Int)) ()
  (! (sequence
       (call count (limit) (r))
       (! (sequence) :tag end :check-true (= |the sum| (* 2 limit))))
     :tag main))
(verify-call main ())
";

#[test]
fn what_is_proved_is_witnessed() {
    for program in [COUNT, CALLED] {
        let (code, witness) = witnessed(program);
        let witness = witness.unwrap();
        assert_eq!(code, 0, "{witness}");
        assert!(witness.contains(":invariant"), "{witness}");
        let (code, told) = validated(program, &witness);
        assert_eq!(code, 0, "{told}\n{witness}");
        // Each of these says something else.
        for (from, to) in [
            ("<=", "<"),
            ("=", "distinct"),
            ("0", "1"),
            ("(and", "(or"),
            (":invariant", ":check-true false :invariant"),
        ] {
            if witness.contains(from) {
                let tampered = witness.replace(from, to);
                let (code, told) = validated(program, &tampered);
                assert!(code != 0, "{told}\n{tampered}");
            }
        }
    }
}

/// A run with choices of all kinds, numbers below zero, calls, a leap, and a name that needs bars.
const RUN: &str = "\
(declare-const c Int)
(declare-var |g h| Int)
(define-proc pick ((x Int)) ((y Int)) ((z Int))
  (! (choice
       ((assign (y (+ x z)))
        (choice ((sequence (havoc |g h|) (assign (y |g h|)))))
        (assign (y c))))
     :tag pick))
(define-proc main () () ((a (Array Int Int)) (v (_ BitVec 4)) (i Int) (y Int))
  (! (sequence
       (havoc a v)
       (assign (i 0))
       (! (while (< i (select a 3)) (assign (i (+ i 1)))) :tag loop :invariant (<= 0 i))
       (call pick ((- i)) (y))
       (! (sequence) :tag end :check-true (not (and (= y (- 7)) (= v #b1010) (= i 4)))))
     :tag main))
(verify-call main ())
";

/// Procedures that call each other.
const RECURSIVE: &str = "\
(declare-const n Int)
(define-procs-rec ((even ((x Int)) ((r Int)) ()) (odd ((x Int)) ((r Int)) ()))
  ((! (if (= x 0) (assign (r 1)) (call odd ((- x 1)) (r))) :tag even)
   (! (if (= x 0) (assign (r 0)) (call even ((- x 1)) (r))) :tag odd)))
(define-proc main ((x Int)) () ((r Int))
  (! (sequence
       (assume (and (<= 0 x) (<= x 3)))
       (call even (x) (r))
       (! (sequence) :tag end :check-true (distinct r 0)))
     :tag main))
(verify-call main (n))
";

#[test]
fn what_is_violated_is_witnessed() {
    for program in [CHOICES, RUN, RECURSIVE] {
        let (code, witness) = witnessed(program);
        let witness = witness.unwrap();
        assert_eq!(code, 1, "{witness}");
        let (code, told) = validated(program, &witness);
        assert_eq!(code, 0, "{told}\n{witness}");
        for (from, to) in [
            ("(choice ", "(choice 1"),
            ("(havoc", "(havoc) (havoc"),
            (":check-true (not", ":check-true (and"),
            ("(entry-proc main)", "(entry-proc other)"),
            ("(incorrect-annotation end", "(incorrect-annotation main"),
            ("#b1010", "#b1011"),
            ("(leap loop", "(leap end"),
        ] {
            if witness.contains(from) {
                let tampered = witness.replace(from, to);
                let (code, told) = validated(program, &tampered);
                assert!(code != 0, "{told}\n{tampered}");
            }
        }
    }
}

/// Names that are hidden by others, a tag at two loops.
const HIDDEN: &str = "\
(declare-const n Int)
(define-proc q ((n Bool)) () ((i Bool))
  (! (while n (assign (i n))) :tag l))
(define-proc main ((k Int)) ((r Int)) ((i Int))
  (! (sequence
       (assume (<= 0 k))
       (assign (i 0) (r 0))
       (! (while (< i k) (assign (i (+ i 1)) (r (+ r 2)))) :tag l :tag own)
       (! (sequence) :tag end :check-true (= r (* 2 k))))
     :tag main))
(verify-call main (n))
";

#[test]
fn what_is_said_of_a_tag_is_said_of_all_that_have_it() {
    let (code, witness) = witnessed(HIDDEN);
    let witness = witness.unwrap();
    assert_eq!(code, 0, "{witness}");
    assert!(witness.contains("(annotate-tag own"), "{witness}");
    assert!(!witness.contains("(annotate-tag l "), "{witness}");
    assert_eq!(validated(HIDDEN, &witness).0, 0, "{witness}");
}

/// Whatever is handed out is confirmed by whoever asks; for the others there is a reason.
#[test]
fn witnesses_of_the_corpus_are_confirmed() {
    let mut without = Vec::new();
    let mut confirmed = 0;
    let folder = crate::root().join("tests/corpus/svlib");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        let program = std::fs::read_to_string(&file).unwrap();
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        match witnessed(&program) {
            (0 | 1, Ok(witness)) => {
                let (code, told) = validated(&program, &witness);
                assert_eq!(code, 0, "{name}: {told}\n{witness}");
                confirmed += 1;
            }
            (0 | 1, Err(why)) => {
                assert!(why.contains("there is no witness: "), "{name}: {why}");
                without.push(name);
            }
            (_, written) => assert!(written.is_err(), "{name}: {written:?}"),
        }
    }
    assert!(confirmed > 15, "{confirmed}, without {without:?}");
}

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

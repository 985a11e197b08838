//! Texts: each is read, or told to be wrong.

use ult_lang::diagnostic::{Diagnostic, Id};

use crate::translate;
use crate::witness::{Claim, join};

/// A text with all kinds of statements.
const TEXT: &str = "(set-logic ALL)\n(declare-var g Int)\n(declare-sort S 1)\n(declare-const c (S Int))\n\
    (declare-datatype L ((nil) (cons (head Int) (tail L))))\n\
    (define-fun f ((a Int)) Int (let ((b (+ a 1))) (ite (< b 0) (- b) b)))\n\
    (declare-fun h (Int (Array Int Real)) Bool)\n\
    (assert (forall ((i Int)) (! (=> (< i 0) (h i ((as const (Array Int Real)) 0.0))) :pattern ((f i)))))\n\
    (define-procs-rec ((p ((n Int)) ((r Int)) ()) (q ((n Int)) ((r Int)) ((l L))))\n\
      ((! (if (< 0 n) (call q ((- n 1)) (r)) (assign (r 0))) :tag p :requires (<= 0 n) :ensures (= r (old g)))\n\
       (sequence (havoc l) (choice (assume ((_ is cons) l)) (assign (l nil) (r 1))) (call p (n) (r)))))\n\
    (define-proc main () ((r Int)) ((x (_ BitVec 8)) (i Int))\n\
      (! (sequence (assign (x (bvadd x #x01)) (i (f g)))\n\
        (! (while (not (= i 0)) (sequence (if (= i 5) (break)) (if (= i 6) (continue) (assign (i (- i 1))))))\n\
          :tag loop :invariant (= (at g start) g))\n\
        (goto end) (! (label end) :tag e :check-true (= ((_ extract 3 0) x) #b0000)) (call q (i) (r)) (return))\n\
       :tag start))\n\
    (annotate-tag e :not-recurring)\n(verify-call main ())\n(get-witness)\n";

fn messages(text: &str) -> Vec<Diagnostic> {
    let diagnostics = translate(text).diagnostics;
    for diagnostic in &diagnostics {
        for (span, _) in &diagnostic.labels {
            assert!(span.end as usize <= text.len() && span.start <= span.end);
            assert!(text.is_char_boundary(span.start as usize), "{text}");
        }
    }
    diagnostics
}

#[test]
fn all_statements_are_read() {
    assert_eq!(messages(TEXT), []);
    let translation = translate(TEXT);
    assert_eq!(translation.entries, ["verify-call main", "p"]);
}

#[test]
fn changed_texts_are_read_or_told_to_be_wrong() {
    let mut wrong = 0;
    for place in 0..TEXT.len() {
        let (before, after) = TEXT.split_at(place);
        for with in ["(", ")", "0", " ", "ä"] {
            wrong += usize::from(!messages(&format!("{before}{with}{}", &after[1..])).is_empty());
        }
        wrong += usize::from(!messages(before).is_empty());
    }
    assert!(wrong > 2000, "{wrong}");
}

#[test]
fn deep_texts_need_no_stack() {
    let depth = 100_000;
    let body = format!(
        "{}(sequence){}",
        "(sequence ".repeat(depth),
        ")".repeat(depth)
    );
    let text = format!("(define-proc p () () () {body})\n(verify-call p ())");
    assert_eq!(messages(&text), []);
    let term = format!("{}true{}", "(not ".repeat(depth), ")".repeat(depth));
    let text = format!("(define-proc p () () () (assume {term}))\n(verify-call p ())");
    assert_eq!(messages(&text), []);
}

#[test]
fn witnesses_say_only_what_witnesses_may_say() {
    let program = "(define-proc p () () () (! (sequence) :tag t))\n(verify-call p ())";
    let joined = |witness: &str| join(program, witness).map(|(_, claim)| claim);
    assert_eq!(
        joined("((annotate-tag t :check-true true))"),
        Ok(Claim::Correct)
    );
    assert_eq!(
        joined("(annotate-tag t :check-true true)"),
        Ok(Claim::Correct)
    );
    assert_eq!(joined("((select-trace))"), Ok(Claim::Violated));
    assert_eq!(joined("()"), Ok(Claim::Correct));
    for refused in [
        "",
        "correct",
        "(())",
        "(",
        "((assert false))",
        "((annotate-tag t :tag u))",
        "((define-proc q () () () (sequence)))",
        "((verify-call p ()))",
        "((declare-var x Int))",
        "((annotate-tag t :check-true false) (select-trace))",
        "((define-fun <= ((a Int) (b Int)) Bool true) (annotate-tag t :check-true (<= 1 0)))",
        "((declare-const true Bool))",
        "((define-sort Int () Bool))",
        "((define-fun-rec f ((x Int)) Int (+ 1 (f x))))",
    ] {
        assert!(joined(refused).is_err(), "{refused}");
    }
    assert!(join("(get-witness)", "(annotate-tag t :check-true true)").is_err());
}

#[test]
fn the_pages_show_what_they_are_about() {
    for id in [
        "E0801", "E0802", "E0803", "E0804", "E0805", "E0806", "E0807", "E0808", "W0801",
    ] {
        let page = Id::lookup(id).and_then(Id::info).expect("a page").page;
        let examples: Vec<&str> = page
            .split("```sv-lib\n")
            .skip(1)
            .filter_map(|rest| Some(rest.split_once("```")?.0))
            .collect();
        assert_eq!(examples.len(), 2, "{id}");
        // A mistake may be told for each of its parts.
        let mut ids: Vec<&str> = (messages(examples[0]).iter())
            .map(|message| message.id.as_str())
            .collect();
        ids.dedup();
        assert_eq!(ids, [id]);
        assert_eq!(messages(examples[1]), [], "{id}");
    }
}

//! Hostile texts: each is read, or told to be wrong.

use ult_core::formula::{Sort, Terms, Value, Version, eval};
use ult_lang::diagnostic::{Diagnostic, Id};

use crate::{Broken, Form, in_letters, lower};

const AIGER: &str = "aag 5 1 2 1 2 1 1\n2\n4 8 0\n6 11 6\n10\n8\n3\n8 2 6\n10 5 9\ni0 go\nl0 a\nb0 both\nc\nwords\n";

const BTOR2: &str = "1 sort bitvec 1\n2 sort bitvec 4\n3 input 2 x\n4 state 2 s ; words\n5 constd 2 -3\n6 init 2 4 5\n\
    7 add 2 3 -4\n8 next 2 4 7\n9 slice 1 4 2 2\n10 constraint 9\n11 sort array 2 1\n12 state 11\n13 read 1 12 4\n14 bad 13\n";

const DIMSPEC: &str = "c words\ni cnf 3 1\n-1 0\nu cnf 3 4\n-3 1 0\n-3 2 0\n3 -1 -2 0\n2 0\ng cnf 3 1\n3 0\nt cnf 6 2\n-4 2 0\n4 -2 0\n";

const TEXTS: [(Form, &str); 3] = [
    (Form::Aiger, AIGER),
    (Form::Btor2, BTOR2),
    (Form::DimSpec, DIMSPEC),
];

/// The messages about a text; the graph is well formed in any case.
fn messages(text: &str, form: Form) -> Vec<Diagnostic> {
    let terms = Terms::new();
    let (unit, _, diagnostics) = lower(&terms, text, form);
    assert_eq!(unit.graph.check(&terms), Ok(()), "{text}");
    for diagnostic in &diagnostics {
        for (span, _) in &diagnostic.labels {
            assert!(span.end as usize <= text.len() && span.start <= span.end);
            assert!(text.is_char_boundary(span.start as usize), "{text}");
        }
    }
    diagnostics
}

#[test]
fn changed_texts_are_read_or_told_to_be_wrong() {
    let mut wrong = 0;
    for (form, text) in TEXTS {
        assert_eq!(messages(text, form), [], "{text}");
        for place in 0..text.len() {
            let (before, after) = text.split_at(place);
            for with in ["", "-", "0", "9", " ", "\n", "a", "ä", "4294967295"] {
                let changed = format!("{before}{with}{after}");
                wrong += usize::from(!messages(&changed, form).is_empty());
                let changed = format!("{before}{with}{}", &after[1..]);
                wrong += usize::from(!messages(&changed, form).is_empty());
            }
            wrong += usize::from(!messages(before, form).is_empty());
        }
    }
    assert!(wrong > 2000, "{wrong}");
}

#[test]
fn counts_take_no_memory_before_the_lines_are_there() {
    for text in [
        "aag 2147483647 2147483647 0 0 0\n2\n",
        "aag 2147483647 0 0 2147483647 0\n0\n",
        "aag 2147483647 0 0 0 0 2147483647 2147483647\n",
    ] {
        let found = messages(text, Form::Aiger);
        assert!(found.iter().any(|d| d.id == Id::CIRCUIT_SYNTAX), "{text}");
    }
    let text = "i cnf 1073741824 0\n";
    assert_eq!(messages(text, Form::DimSpec)[0].id, Id::CIRCUIT_SYNTAX);
    let text = "1 sort bitvec 65536\n2 input 1\n3 concat 1 2 2\n";
    assert_eq!(messages(text, Form::Btor2)[0].id, Id::CIRCUIT_SORTS);
}

#[test]
fn the_binary_form_is_read_to_its_end() {
    let wrong = |bytes: &[u8]| match in_letters(bytes) {
        Some(Err(Broken { message, offset })) => (message, offset),
        other => panic!("{other:?}"),
    };
    assert_eq!(in_letters(b"aag 0 0 0 0 0\n"), None);
    assert_eq!(
        in_letters(b"aig 0 0 0 0 0\n"),
        Some(Ok("aag 0 0 0 0 0\n".into()))
    );
    let text = in_letters(b"aig 3 1 1 0 1 1\n6 1\n7\n\x02\x02i0 \xff\n").expect("binary");
    let expected = "aag 3 1 1 0 1 1\n2\n4 6 1\n7\n6 4 2\ni0 \u{fffd}\n";
    assert_eq!(text.as_deref(), Ok(expected));
    assert_eq!(wrong(b"aig 3 1 1 0 1").1, 13);
    assert_eq!(
        wrong(b"aig 3 1 1 0 2\n").0,
        "4 variables are defined, but the largest is said to be 3: in the binary form, M is I + L + A"
    );
    assert_eq!(wrong(b"aig 2 1 1 0 0\n-2\n").1, 14);
    assert_eq!(wrong(b"aig 4294967296 0 0 0 0\n").1, 4);
    assert_eq!(
        wrong(b"aig 1 0 0 0 1\n\x82").0,
        "the file ends within a conjunction"
    );
    assert_eq!(
        wrong(b"aig 1 0 0 0 1\n\x00\x00").0,
        "the arguments of the conjunction 2 are not smaller than it"
    );
    assert_eq!(
        wrong(b"aig 1 0 0 0 1\n\x03\x00").0,
        "the arguments of the conjunction 2 are not smaller than it"
    );
    assert_eq!(
        wrong(b"aig 1 0 0 0 1\n\xff\xff\xff\xff\x1f\x00").0,
        "a difference of literals has more than 32 bits"
    );
    assert_eq!(
        wrong(b"aig 2147483647 2147483647 0 0 0\n").0,
        "2147483647 inputs are too many: at most 4000000"
    );
    // What nobody reads here is told by the reader of the form in letters.
    let justice = in_letters(b"aig 0 0 0 0 0 0 0 1\n1\n0\n")
        .expect("binary")
        .expect("a header");
    assert_eq!(
        messages(&justice, Form::Aiger)[0].id,
        Id::CIRCUIT_NOT_SUPPORTED
    );
}

/// The operators of BTOR2 with two words of one width, and what they are on numbers below
/// `2^width`, told as numbers.
type Binary = (&'static str, fn(i64, i64, i64) -> i64, bool);

/// As a number with a sign.
fn signed(a: i64, size: i64) -> i64 {
    if a >= size / 2 { a - size } else { a }
}

fn fits(value: i64, size: i64) -> i64 {
    i64::from(value < -size / 2 || value >= size / 2)
}

const OPERATORS: [Binary; 41] = [
    ("eq", |a, b, _| i64::from(a == b), true),
    ("neq", |a, b, _| i64::from(a != b), true),
    ("ugt", |a, b, _| i64::from(a > b), true),
    ("ugte", |a, b, _| i64::from(a >= b), true),
    ("ult", |a, b, _| i64::from(a < b), true),
    ("ulte", |a, b, _| i64::from(a <= b), true),
    (
        "sgt",
        |a, b, n| i64::from(signed(a, n) > signed(b, n)),
        true,
    ),
    (
        "sgte",
        |a, b, n| i64::from(signed(a, n) >= signed(b, n)),
        true,
    ),
    (
        "slt",
        |a, b, n| i64::from(signed(a, n) < signed(b, n)),
        true,
    ),
    (
        "slte",
        |a, b, n| i64::from(signed(a, n) <= signed(b, n)),
        true,
    ),
    ("and", |a, b, _| a & b, false),
    ("nand", |a, b, n| !(a & b) & (n - 1), false),
    ("or", |a, b, _| a | b, false),
    ("nor", |a, b, n| !(a | b) & (n - 1), false),
    ("xor", |a, b, _| a ^ b, false),
    ("xnor", |a, b, n| !(a ^ b) & (n - 1), false),
    ("add", |a, b, n| (a + b) % n, false),
    ("sub", |a, b, n| (a - b).rem_euclid(n), false),
    ("mul", |a, b, n| a * b % n, false),
    ("udiv", |a, b, n| if b == 0 { n - 1 } else { a / b }, false),
    ("urem", |a, b, _| if b == 0 { a } else { a % b }, false),
    (
        "sdiv",
        |a, b, n| {
            let (a, b) = (signed(a, n), signed(b, n));
            let quotient = if b != 0 {
                a / b
            } else if a < 0 {
                1
            } else {
                -1
            };
            quotient.rem_euclid(n)
        },
        false,
    ),
    (
        "srem",
        |a, b, n| {
            let (a, b) = (signed(a, n), signed(b, n));
            (if b == 0 { a } else { a % b }).rem_euclid(n)
        },
        false,
    ),
    (
        "smod",
        |a, b, n| {
            let (a, b) = (signed(a, n), signed(b, n));
            let rest = if b == 0 { a } else { a.rem_euclid(b.abs()) };
            // The sign is that of the divisor.
            let rest = if b < 0 && rest != 0 { rest + b } else { rest };
            rest.rem_euclid(n)
        },
        false,
    ),
    ("sll", |a, b, n| (a << b.min(20)) % n, false),
    ("srl", |a, b, _| a >> b.min(20), false),
    (
        "sra",
        |a, b, n| (signed(a, n) >> b.min(20)).rem_euclid(n),
        false,
    ),
    ("rol", |a, b, n| rotated(a, b, n), false),
    (
        "ror",
        |a, b, n| rotated(a, n.ilog2() as i64 - b % n.ilog2() as i64, n),
        false,
    ),
    (
        "saddo",
        |a, b, n| fits(signed(a, n) + signed(b, n), n),
        true,
    ),
    ("uaddo", |a, b, n| i64::from(a + b >= n), true),
    (
        "ssubo",
        |a, b, n| fits(signed(a, n) - signed(b, n), n),
        true,
    ),
    ("usubo", |a, b, _| i64::from(a < b), true),
    (
        "smulo",
        |a, b, n| fits(signed(a, n) * signed(b, n), n),
        true,
    ),
    ("umulo", |a, b, n| i64::from(a * b >= n), true),
    (
        "sdivo",
        |a, b, n| i64::from(signed(a, n) == -n / 2 && signed(b, n) == -1),
        true,
    ),
    ("udivo", |_, _, _| 0, true),
    // Of one word.
    ("not", |a, _, n| !a & (n - 1), false),
    ("neg", |a, _, n| (-a).rem_euclid(n), false),
    ("inc", |a, _, n| (a + 1) % n, false),
    ("dec", |a, _, n| (a - 1).rem_euclid(n), false),
];

fn rotated(a: i64, by: i64, size: i64) -> i64 {
    let width = i64::from(size.ilog2());
    let by = by % width;
    (a << by | a >> (width - by)) & (size - 1)
}

/// The value of the node of a property that compares an operator's result with a number.
fn holds(text: &str, a: i64, b: i64) -> bool {
    let terms = Terms::new();
    let (unit, _, diagnostics) = lower(&terms, text, Form::Btor2);
    assert_eq!(diagnostics, [], "{text}");
    let edge = unit.graph.graph.edge_weights().last().expect("an edge");
    struct Given(i64, i64);
    impl ult_core::formula::Interpretation for Given {
        fn variable(&self, var: &ult_core::formula::Var, sort: &Sort) -> Option<Value> {
            assert!(matches!(var.version, Version::Current));
            let value = if &*var.name == "a" { self.0 } else { self.1 };
            Some(match sort {
                Sort::BitVec(width) => Value::BitVec(u64::try_from(value).ok()?.into(), *width),
                _ => Value::Bool(value == 1),
            })
        }

        fn function(
            &self,
            _: &std::sync::Arc<ult_core::formula::Function>,
            _: &[Value],
        ) -> Option<Value> {
            None
        }
    }
    eval(&terms, edge.transition.formula, &Given(a, b)) == Ok(Value::Bool(true))
}

#[test]
fn operators_are_what_they_are_on_numbers() {
    for width in 1..=3 {
        let size = 1i64 << width;
        for (position, (name, meaning, is_truth)) in OPERATORS.into_iter().enumerate() {
            let is_binary = position < 37;
            let (sort, argument) = (
                if is_truth { 1 } else { 2 },
                if is_binary { "4" } else { "" },
            );
            for (a, b) in (0..size).flat_map(|a| (0..size).map(move |b| (a, b))) {
                let expected = meaning(a, b, size);
                let text = format!(
                    "1 sort bitvec 1\n2 sort bitvec {width}\n3 state 2 a\n4 state 2 b\n\
                     5 {name} {sort} 3 {argument}\n6 constd {sort} {expected}\n7 eq 1 5 6\n8 bad 7\n",
                    sort = if sort == 1 { 1 } else { 2 }
                );
                assert!(
                    holds(&text, a, b),
                    "{name} {width}: {a}, {b} is not {expected}"
                );
            }
        }
    }
}

#[test]
fn the_pages_show_what_they_are_about() {
    for id in ["E0701", "E0702", "E0703", "E0704", "E0705", "E0706"] {
        let page = Id::lookup(id).and_then(Id::info).expect("a page").page;
        let (fence, form) = match page.contains("```aiger\n") {
            true => ("```aiger\n", Form::Aiger),
            false => ("```btor2\n", Form::Btor2),
        };
        let examples: Vec<&str> = page
            .split(fence)
            .skip(1)
            .filter_map(|rest| Some(rest.split_once("```")?.0))
            .collect();
        assert_eq!(examples.len(), 2, "{id}");
        let ids: Vec<&str> = (messages(examples[0], form).iter())
            .map(|message| message.id.as_str())
            .collect();
        assert_eq!(ids, [id]);
        assert_eq!(messages(examples[1], form), [], "{id}");
    }
}

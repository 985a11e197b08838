//! Interpolants for paths by Horn clauses.

use std::sync::Arc;
use std::time::Duration;

use crate::raw::Truth;
use crate::{Answer, Failure, HornAnswer, Session, horn_chain};
use ult_core::control::Control;
use ult_core::formula::{BinderKind, Function, Sort, Term, Terms, Version};

const LIMIT: Duration = Duration::from_secs(20);

/// Every sequence is a claim: here it is checked.
fn assert_valid(session: &Session<'_>, steps: &[Term], interpolants: &[Term]) {
    let t = session.terms();
    assert_eq!(interpolants.len() + 1, steps.len());
    let mut solver = session.solver();
    for (i, &step) in steps.iter().enumerate() {
        let before = if i == 0 { t.tt() } else { interpolants[i - 1] };
        let after = interpolants.get(i).copied().unwrap_or(t.ff());
        assert_eq!(
            solver.check(&[before, step, t.not(after)], Some(LIMIT)),
            Answer::Unsat,
            "step {i}: {} does not lead to {}",
            t.display(before),
            t.display(after)
        );
    }
    for (i, &interpolant) in interpolants.iter().enumerate() {
        for var in t.free_vars(&[interpolant]) {
            let at = t.as_var(var).map(|v| v.version);
            assert_eq!(at, Some(Version::At(i as u32 + 1)));
        }
    }
}

/// All variables at all positions.
fn live(t: &Terms, vars: &[(&str, Sort)], positions: usize) -> Vec<Vec<Term>> {
    (0..positions as u32)
        .map(|i| {
            vars.iter()
                .map(|(name, sort)| t.var(*name, Version::At(i), sort.clone()))
                .collect()
        })
        .collect()
}

fn path(t: &Terms, transitions: &[Term]) -> Vec<Term> {
    transitions
        .iter()
        .enumerate()
        .map(|(i, &formula)| t.at_step(formula, i as u32))
        .collect()
}

fn interpolants(session: &Session<'_>, steps: &[Term], live: &[Vec<Term>]) -> Vec<Term> {
    match horn_chain(session, steps, live, LIMIT) {
        HornAnswer::Interpolants(sequence) => {
            assert_valid(session, steps, &sequence);
            sequence
        }
        other => panic!("{other:?}"),
    }
}

/// The paper's program P: each round moves units between x, y and z, so that their sum stays n.
pub(super) fn program_p(t: &Terms, rounds: usize, off_by: i64) -> (Vec<Term>, Vec<Vec<Term>>) {
    let now = |name: &str| t.current(name, Sort::Int);
    let then = |name: &str| t.next(name, Sort::Int);
    let init = t.and([
        t.eq(then("n"), then("x")),
        t.eq(then("y"), t.int(0)),
        t.eq(then("z"), t.int(0)),
    ]);
    let aux = |name: &str, number| t.var(name, Version::Aux(number), Sort::Int);
    let moved = |number: u32, from: [Term; 3], to: [Term; 3], up: usize, down: usize| {
        let _ = number;
        let change = |by_up: i64| {
            t.and((0..3).map(|i| {
                let by = if i == up {
                    by_up
                } else if i == down {
                    -by_up
                } else {
                    0
                };
                t.eq(to[i], t.add(&[from[i], t.int(by)]))
            }))
        };
        t.or([change(1), change(0)])
    };
    let start = ["x", "y", "z"].map(now);
    let first = ["x", "y", "z"].map(|v| aux(v, 1));
    let second = ["x", "y", "z"].map(|v| aux(v, 2));
    let end = ["x", "y", "z"].map(then);
    let round = t.and([
        t.neq(now("x"), t.int(0)),
        moved(1, start, first, 0, 1),
        moved(2, first, second, 1, 2),
        moved(3, second, end, 2, 0),
        t.eq(then("n"), now("n")),
    ]);
    let error = t.and([
        t.eq(now("x"), t.int(0)),
        t.neq(now("n"), t.add(&[now("y"), now("z"), t.int(off_by)])),
    ]);
    let mut transitions = vec![init];
    transitions.extend(std::iter::repeat_n(round, rounds));
    transitions.push(error);
    let steps = path(t, &transitions);
    let vars = ["n", "x", "y", "z"].map(|v| (v, Sort::Int));
    let live = live(t, &vars, steps.len() + 1);
    (steps, live)
}

#[test]
fn the_papers_program() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    for rounds in 1..=3 {
        let (steps, live) = program_p(&t, rounds, 0);
        interpolants(&session, &steps, &live);
    }
    let (steps, live) = program_p(&t, 1, 1);
    assert_eq!(
        horn_chain(&session, &steps, &live, LIMIT),
        HornAnswer::Feasible
    );
}

#[test]
fn chains_without_inner_cuts() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let x = t.var("x", Version::At(0), Sort::Int);
    let wrong = t.and([t.lt(x, t.int(0)), t.lt(t.int(0), x)]);
    let live = vec![vec![x]];
    assert_eq!(
        horn_chain(&session, &[wrong], &live, LIMIT),
        HornAnswer::Interpolants(vec![])
    );
    assert_eq!(
        horn_chain(&session, &[t.tt()], &live, LIMIT),
        HornAnswer::Feasible
    );
}

#[test]
fn trivial_predicates() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let live = live(&t, &[("x", Sort::Int)], 4);
    // The first, the middle, and the last step is impossible.
    for impossible in 0..3 {
        let steps: Vec<Term> = (0..3).map(|i| t.bool(i != impossible)).collect();
        let sequence = interpolants(&session, &steps, &live);
        assert_eq!(sequence.len(), 2);
    }
    // Without any live variable.
    let empty = vec![vec![]; 4];
    interpolants(&session, &[t.tt(), t.ff(), t.tt()], &empty);
}

#[test]
fn rigid_constants_are_carried_along() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let constant = Arc::new(Function {
        name: "K".into(),
        params: vec![],
        result: Sort::Int,
    });
    let k = t.apply(&constant, &[]);
    let (now, then) = (t.current("x", Sort::Int), t.next("x", Sort::Int));
    let transitions = [
        t.eq(then, k),
        t.eq(then, t.add(&[now, t.int(1)])),
        t.le(now, k),
    ];
    let steps = path(&t, &transitions);
    let live = live(&t, &[("x", Sort::Int)], 4);
    let sequence = interpolants(&session, &steps, &live);
    assert!(sequence.iter().all(|&i| t.post_order(&[i]).contains(&k)));
}

#[test]
fn rigid_functions_are_read_back() {
    let t = Terms::new();
    let f = Arc::new(Function {
        name: "f".into(),
        params: vec![Sort::Int, Sort::Int],
        result: Sort::Int,
    });
    let session = Session::new(&t, &[], &Control::unlimited());
    let (now, then) = (t.current("x", Sort::Int), t.next("x", Sort::Int));
    let apply = |x: Term| t.apply(&f, &[x, t.int(7)]);
    let transitions = [
        t.eq(then, apply(t.int(3))),
        t.eq(then, t.add(&[now, t.int(2)])),
        t.lt(now, apply(t.int(3))),
    ];
    let steps = path(&t, &transitions);
    let live = live(&t, &[("x", Sort::Int)], 4);
    let sequence = interpolants(&session, &steps, &live);
    assert!(
        sequence
            .iter()
            .all(|&i| t.post_order(&[i]).contains(&apply(t.int(3))))
    );
}

#[test]
fn facts_about_rigid_symbols() {
    let t = Terms::new();
    let constant = |name: &str| {
        t.apply(
            &Arc::new(Function {
                name: name.into(),
                params: vec![],
                result: Sort::Int,
            }),
            &[],
        )
    };
    let (low, mid, high) = (constant("low"), constant("mid"), constant("high"));
    let axioms = [t.lt(low, mid), t.lt(mid, high)];
    let (now, then) = (t.current("x", Sort::Int), t.next("x", Sort::Int));
    let steps = path(&t, &[t.eq(then, high), t.eq(then, now), t.le(now, low)]);
    let live = live(&t, &[("x", Sort::Int)], 4);
    let session = Session::new(&t, &axioms, &Control::unlimited());
    interpolants(&session, &steps, &live);
    // Without them the path is feasible.
    let session = Session::new(&t, &[], &Control::unlimited());
    assert_eq!(
        horn_chain(&session, &steps, &live, LIMIT),
        HornAnswer::Feasible
    );
}

#[test]
fn quantifiers_are_left_out_but_never_called_feasible() {
    let t = Terms::new();
    let m = |i: u32| t.var("m", Version::At(i), Sort::map(vec![Sort::Int], Sort::Int));
    let x = |i: u32| t.var("x", Version::At(i), Sort::Int);
    let i = t.fresh_bound("i", Sort::Int);
    let all_zero = |at: u32| {
        t.bind(
            BinderKind::Forall,
            &[i],
            t.eq(t.select(m(at), &[i]), t.int(0)),
            &[],
        )
    };
    let session = Session::new(&t, &[], &Control::unlimited());
    let live: Vec<Vec<Term>> = (0..4).map(|i| vec![m(i), x(i)]).collect();
    // The quantifier does not matter.
    let steps = [
        t.and([all_zero(1), t.eq(x(1), t.int(1))]),
        t.eq(x(2), x(1)),
        t.eq(x(2), t.int(0)),
    ];
    interpolants(&session, &steps, &live);
    // It does.
    let steps = [
        all_zero(1),
        t.eq(m(2), m(1)),
        t.eq(t.select(m(2), &[t.int(5)]), t.int(1)),
    ];
    assert!(matches!(
        horn_chain(&session, &steps, &live, LIMIT),
        HornAnswer::GaveUp(Failure::Unsupported(_))
    ));
}

#[test]
fn maps_with_one_and_two_indices() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    for indices in [1, 2] {
        let sort = Sort::map(vec![Sort::Int; indices], Sort::Int);
        let vars = [("m", sort.clone()), ("i", Sort::Int)];
        let (m, m2) = (t.current("m", sort.clone()), t.next("m", sort));
        let (i, i2) = (t.current("i", Sort::Int), t.next("i", Sort::Int));
        let at = |n: Term| vec![n; indices];
        let transitions = [
            t.and([
                t.eq(i2, t.int(0)),
                t.eq(t.select(m2, &at(t.int(1))), t.int(5)),
            ]),
            t.and([
                t.neq(i, t.int(1)),
                t.eq(m2, t.store(m, &at(i), t.int(7))),
                t.eq(i2, t.add(&[i, t.int(2)])),
            ]),
            t.neq(t.select(m, &at(t.int(1))), t.int(5)),
        ];
        let steps = path(&t, &transitions);
        interpolants(&session, &steps, &live(&t, &vars, 4));
    }
}

#[test]
fn bitvectors_reals_and_booleans() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let bv = Sort::BitVec(8);
    let (v, v2) = (t.current("v", bv.clone()), t.next("v", bv.clone()));
    let (r, r2) = (t.current("r", Sort::Real), t.next("r", Sort::Real));
    let (b, b2) = (t.current("b", Sort::Bool), t.next("b", Sort::Bool));
    let half = t.real(num_rational::BigRational::new(1.into(), 2.into()));
    let bits = |n: u32| t.bitvec(n.into(), 8);
    use ult_core::formula::BvOp;
    let transitions = [
        t.and([t.eq(v2, bits(4)), t.eq(r2, half), b2]),
        t.and([
            t.eq(v2, t.bv(BvOp::Or, &[v, bits(1)])),
            t.eq(r2, t.add(&[r, half])),
            t.eq(b2, t.bv(BvOp::Ult, &[v, bits(9)])),
        ]),
        t.or([t.not(b), t.eq(v, bits(0)), t.lt(r, half)]),
    ];
    let steps = path(&t, &transitions);
    let vars = [("v", bv), ("r", Sort::Real), ("b", Sort::Bool)];
    interpolants(&session, &steps, &live(&t, &vars, 4));
}

#[test]
fn limits_are_kept() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let (steps, live) = program_p(&t, 8, 0);
    let start = std::time::Instant::now();
    let answer = horn_chain(&session, &steps, &live, Duration::from_millis(1));
    assert_eq!(answer, HornAnswer::GaveUp(Failure::Timeout));
    assert!(start.elapsed() < Duration::from_secs(10));
    let (steps, live) = program_p(&t, 1, 0);
    interpolants(&session, &steps, &live);
}

#[test]
fn a_variable_that_is_not_live() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let x = t.var("x", Version::At(1), Sort::Int);
    let steps = [t.eq(x, t.int(1)), t.eq(x, t.int(2))];
    assert!(matches!(
        horn_chain(&session, &steps, &[vec![], vec![]], LIMIT),
        HornAnswer::GaveUp(Failure::Incomplete(_))
    ));
    interpolants(&session, &steps, &[vec![], vec![x]]);
}

#[test]
fn chains_are_told_to_who_listens() {
    use std::sync::Mutex;
    use ult_core::questions::{Listener, Question};
    let heard: Arc<Mutex<Vec<Question>>> = Arc::default();
    let listener = Listener::new({
        let heard = heard.clone();
        move |question| heard.lock().unwrap().push(question)
    });
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited().with_questions(listener));
    let x = |i| t.var("x", Version::At(i), Sort::Int);
    let live: Vec<Vec<Term>> = (0..3).map(|i| vec![x(i)]).collect();
    let start = t.eq(x(1), t.int(3));
    let ends = |n: i64| t.and([t.eq(x(2), t.add(&[x(1), t.int(1)])), t.eq(x(2), t.int(n))]);
    for (end, answer) in [(5, "sat"), (4, "unsat")] {
        horn_chain(&session, &[start, ends(end)], &live, LIMIT);
        let question = heard.lock().unwrap().pop().expect("a question");
        assert_eq!(
            (question.answer.as_str(), question.tactic),
            (answer, "spacer")
        );
        // The same clauses, read back.
        assert!(
            question.script.starts_with("(set-logic HORN)"),
            "{}",
            question.script
        );
        let read = super::systems::read_by_z3(&question.script);
        let expected = if answer == "sat" {
            Truth::Sat
        } else {
            Truth::Unsat
        };
        assert_eq!(read, expected, "{}", question.script);
    }
    // Without an answer too.
    let gave_up = horn_chain(&session, &[start, ends(5)], &live[..1], LIMIT);
    assert!(matches!(gave_up, HornAnswer::GaveUp(_)));
    let question = heard.lock().unwrap().pop().expect("a question");
    assert!(
        question.answer.starts_with("unknown"),
        "{}",
        question.answer
    );
    assert!(heard.lock().unwrap().is_empty());
}

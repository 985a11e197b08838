//! The incremental solver: answers, cores, levels, limits.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::{Answer, Failure, Session, Split, require_z3, z3_version};
use ult_core::control::{Control, Stop};
use ult_core::formula::{BinderKind, Function, Sort, Term, Terms};
use ult_core::stats::Statistics;

fn int(t: &Terms, name: &str) -> Term {
    t.current(name, Sort::Int)
}

#[test]
fn the_linked_z3_is_new_enough() {
    assert_eq!(require_z3(), Ok(()), "{}", z3_version());
}

#[test]
fn assumptions_levels_and_cores() {
    let t = Terms::new();
    let (x, y) = (int(&t, "x"), int(&t, "y"));
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    solver.assert(t.lt(x, y)).unwrap();
    let ten = t.lt(t.int(10), x);
    let unrelated = t.lt(int(&t, "z"), t.int(3));
    let below = t.lt(y, t.int(10));
    assert_eq!(solver.check(&[ten, unrelated], None), Answer::Sat);
    assert!(solver.core().is_empty());
    assert_eq!(solver.check(&[unrelated, below, ten], None), Answer::Unsat);
    let core = solver.core();
    assert!(core.contains(&below) && core.contains(&ten));
    let core = solver.minimise_core(vec![unrelated, below, ten], None);
    assert_eq!(core, [below, ten]);

    solver.push();
    solver.assert(below).unwrap();
    assert_eq!(solver.check(&[ten], None), Answer::Unsat);
    assert_eq!(solver.core(), [ten]);
    solver.pop();
    assert_eq!(solver.check(&[ten], None), Answer::Sat);
    // Names of assumptions made inside a level do not outlive it.
    solver.push();
    let even = t.eq(t.modulo(x, t.int(2)), t.int(0));
    assert_eq!(solver.check(&[even, ten], None), Answer::Sat);
    solver.pop();
    let odd = t.eq(t.modulo(x, t.int(2)), t.int(1));
    assert_eq!(solver.check(&[even, odd], None), Answer::Unsat);
    assert_eq!(solver.core(), [even, odd]);
    // One pop too many is ignored.
    solver.pop();
    assert_eq!(solver.check(&[], None), Answer::Sat);
}

#[test]
fn boolean_symbols_and_literals_as_assumptions() {
    let t = Terms::new();
    let b = t.current("b", Sort::Bool);
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    assert_eq!(solver.check(&[b, t.tt()], None), Answer::Sat);
    assert_eq!(solver.check(&[b, t.not(b)], None), Answer::Unsat);
    assert_eq!(solver.core().len(), 2);
    assert_eq!(solver.check(&[b, t.ff()], None), Answer::Unsat);
    assert_eq!(solver.core(), [t.ff()]);
    assert!(solver.model().is_err());
}

#[test]
fn names_do_not_collide() {
    let t = Terms::new();
    // `x'`, `x` of another version, and names that look like the room's own.
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    let vars = [
        int(&t, "x"),
        int(&t, "n|x"),
        t.next("x", Sort::Int),
        t.var("x", ult_core::formula::Version::At(2), Sort::Int),
        t.var("2|x", ult_core::formula::Version::At(2), Sort::Int),
        t.var("x", ult_core::formula::Version::AuxAt(2, 2), Sort::Int),
        t.var("2|x", ult_core::formula::Version::Aux(2), Sort::Int),
        int(&t, "a!1"),
        int(&t, "l|0"),
    ];
    solver.assert(t.distinct(&vars)).unwrap();
    assert_eq!(solver.check(&[], None), Answer::Sat);
}

#[test]
fn axioms_hold_in_every_solver() {
    let t = Terms::new();
    let f = std::sync::Arc::new(ult_core::formula::Function {
        name: "f".into(),
        params: vec![Sort::Int],
        result: Sort::Int,
    });
    let i = t.fresh_bound("i", Sort::Int);
    let fi = t.apply(&f, &[i]);
    let axiom = t.bind(BinderKind::Forall, &[i], t.lt(i, fi), &[vec![fi]]);
    let session = Session::new(&t, &[axiom], &Control::unlimited());
    let mut solver = session.solver();
    let x = int(&t, "x");
    let fx = t.apply(&f, &[x]);
    assert_eq!(solver.check(&[t.le(fx, x)], None), Answer::Unsat);
    let limit = Some(Duration::from_secs(2));
    assert_ne!(solver.check(&[t.le(x, fx)], limit), Answer::Unsat);
    let mut stats = Statistics::default();
    session.take_calls(&mut stats);
    assert_eq!(stats.solver_calls, 2);
    session.take_calls(&mut stats);
    assert_eq!(stats.solver_calls, 2);
}

/// How a question ends by a limit in steps, and how long it took by them: whether eleven pigeons fit into ten holes.
fn asked_by_steps(limit: Duration) -> (String, Option<Duration>) {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited()).by_steps();
    let sits = |pigeon: u32, hole: u32| t.lt(int(&t, &format!("p{pigeon} {hole}")), t.int(0));
    let mut question: Vec<Term> = (0..11)
        .map(|pigeon| t.or((0..10).map(|hole| sits(pigeon, hole))))
        .collect();
    for (one, other) in (0..11).flat_map(|one| (0..one).map(move |other| (one, other))) {
        question.extend((0..10).map(|hole| t.not(t.and([sits(one, hole), sits(other, hole)]))));
    }
    let mut solver = session.solver();
    let hard = solver.check(&question, Some(limit));
    // It is of use after that.
    let x = int(&t, "x");
    let easy = [t.lt(t.int(1), x), t.lt(x, t.int(2))];
    assert_eq!(solver.check(&easy, None), Answer::Unsat);
    (format!("{hard:?}"), session.work())
}

#[test]
fn a_limit_in_steps_is_the_same_each_time() {
    for milliseconds in [20, 100] {
        let limit = Duration::from_millis(milliseconds);
        let (answer, work) = asked_by_steps(limit);
        assert!(answer.starts_with("Unknown"), "{answer}");
        assert_eq!(asked_by_steps(limit), (answer, work));
        let work = work.unwrap();
        assert!(
            limit / 3 <= work && work <= 3 * limit,
            "{work:?} for {limit:?}"
        );
    }
    let t = Terms::new();
    let by_the_clock = Session::new(&t, &[], &Control::unlimited());
    assert_eq!(by_the_clock.work(), None);
}

#[test]
fn what_cannot_be_translated_is_never_an_answer() {
    let t = Terms::new();
    let wrong = t.builtin(
        &std::sync::Arc::new(ult_core::formula::Builtin {
            name: "no.such.function".into(),
            indices: vec![],
            result: Sort::Bool,
        }),
        &[],
    );
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    solver.push();
    let failure = solver.assert(wrong).unwrap_err();
    assert!(matches!(&failure, Failure::Unsupported(what) if what.contains("no.such.function")));
    assert_eq!(solver.check(&[], None), Answer::Unknown(failure.clone()));
    solver.pop();
    assert_eq!(solver.check(&[], None), Answer::Sat);
    assert_eq!(
        solver.check(&[wrong], None),
        Answer::Unknown(failure.clone())
    );
    // As an axiom it spoils every question.
    let session = Session::new(&t, &[wrong], &Control::unlimited());
    assert_eq!(session.solver().check(&[], None), Answer::Unknown(failure));
    // A vector without bits.
    let empty = t.eq(
        t.current("v", Sort::BitVec(0)),
        t.current("w", Sort::BitVec(0)),
    );
    let session = Session::new(&t, &[], &Control::unlimited());
    assert!(matches!(
        session.solver().check(&[empty], None),
        Answer::Unknown(Failure::Unsupported(_))
    ));
}

/// A question that takes Z3 very long: a pigeonhole problem.
fn hard(t: &Terms) -> Term {
    let holes = 12;
    let at = |p: usize, h: usize| t.current(format!("p{p}h{h}"), Sort::Bool);
    let mut clauses = Vec::new();
    for p in 0..=holes {
        clauses.push(t.or((0..holes).map(|h| at(p, h))));
        for q in 0..p {
            for h in 0..holes {
                clauses.push(t.or([t.not(at(p, h)), t.not(at(q, h))]));
            }
        }
    }
    t.and(clauses)
}

#[test]
fn limits_of_one_question() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    let start = Instant::now();
    let limit = Some(Duration::from_millis(100));
    assert_eq!(
        solver.check(&[hard(&t)], limit),
        Answer::Unknown(Failure::Timeout)
    );
    assert!(start.elapsed() < Duration::from_secs(10));
    // The solver is usable afterwards, and the limit is gone.
    assert_eq!(solver.check(&[], None), Answer::Sat);
}

#[test]
fn brief_solvers_leave_nothing_behind() {
    let t = Terms::new();
    let [x, y] = ["x", "y"].map(|n| int(&t, n));
    let b = t.current("b", Sort::Bool);
    // Each list is one solver's: what it is given, then whether that can hold.
    let questions = [
        (vec![t.lt(x, t.int(3)), t.lt(t.int(3), x)], Answer::Unsat),
        (vec![t.lt(t.int(3), x)], Answer::Sat),
        (vec![t.lt(x, t.int(3)), b], Answer::Sat),
        (vec![t.eq(t.mul(&[x, x]), t.int(49)), t.not(b)], Answer::Sat),
        (
            vec![t.eq(t.mul(&[x, y]), t.int(0)), t.lt(x, y)],
            Answer::Sat,
        ),
        (vec![t.lt(x, y), t.lt(y, x)], Answer::Unsat),
        (vec![], Answer::Sat),
    ];
    let axiom = t.lt(t.int(0), y);
    let session = Session::new(&t, &[axiom], &Control::unlimited());
    for _ in 0..3 {
        for (formulas, expected) in &questions {
            let mut solver = session.brief_solver();
            let (last, first) = formulas
                .split_last()
                .map_or((None, &[][..]), |(l, f)| (Some(l), f));
            for &formula in first {
                solver.assert(formula).unwrap();
            }
            let assumptions: Vec<Term> = last.copied().into_iter().collect();
            assert_eq!(solver.check(&assumptions, None), *expected);
            // The axiom holds in all of them, and two may live at once.
            let mut other = session.brief_solver();
            other.push();
            assert_eq!(other.check(&[t.eq(y, t.int(0))], None), Answer::Unsat);
            assert_eq!(solver.check(&assumptions, None), *expected);
            if *expected == Answer::Sat {
                let model = solver.model().unwrap();
                drop(solver);
                // A model outlives its solver, whatever that is used for next.
                assert_eq!(other.check(&[t.lt(y, t.int(0))], None), Answer::Unsat);
                for &formula in formulas {
                    let value = model.value(formula).unwrap();
                    assert_eq!(value, ult_core::formula::Value::Bool(true));
                }
            }
        }
    }
    // After a question without an answer, a brief solver is not used again.
    let limit = Some(Duration::from_millis(20));
    for _ in 0..2 {
        let mut solver = session.brief_solver();
        let answer = solver.check(&[hard(&t)], limit);
        assert_eq!(answer, Answer::Unknown(Failure::Timeout));
    }
    assert_eq!(session.brief_solver().check(&[b], None), Answer::Sat);
}

#[test]
fn the_deadline_of_the_run() {
    let t = Terms::new();
    let control = Control::with_deadline(Some(Instant::now() + Duration::from_millis(150)));
    let session = Session::new(&t, &[], &control);
    assert_eq!(
        session.solver().check(&[hard(&t)], None),
        Answer::Unknown(Failure::Stopped(Stop::Timeout))
    );
    assert_eq!(
        session.solver().check(&[], None),
        Answer::Unknown(Failure::Stopped(Stop::Timeout))
    );
}

#[test]
fn a_stop_from_another_thread() {
    let t = Terms::new();
    let control = Control::unlimited();
    let session = Session::new(&t, &[], &control);
    let stopper = std::thread::spawn({
        let control = control.clone();
        move || {
            std::thread::sleep(Duration::from_millis(150));
            control.stop(Stop::Cancelled);
        }
    });
    assert_eq!(
        session.solver().check(&[hard(&t)], None),
        Answer::Unknown(Failure::Stopped(Stop::Cancelled))
    );
    stopper.join().unwrap();
}

#[test]
fn sessions_on_several_threads() {
    let threads: Vec<_> = (0..4)
        .map(|n: i32| {
            std::thread::spawn(move || {
                let t = Terms::new();
                let session = Session::new(&t, &[], &Control::unlimited());
                let mut solver = session.solver();
                let x = int(&t, "x");
                for i in 0..50 {
                    let i = i * n;
                    let above = t.lt(t.int(i), x);
                    let below = t.lt(x, t.int(i + 1));
                    assert_eq!(solver.check(&[above, below], None), Answer::Unsat);
                    assert_eq!(solver.check(&[above], None), Answer::Sat);
                    solver.model().unwrap().value(x).unwrap();
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn long_chains_do_not_overflow_the_stack() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    let x = int(&t, "x");
    let map = Sort::map(vec![Sort::Int], Sort::Int);
    let mut m = t.current("m", map);
    for i in 0..300 {
        m = t.store(m, &[t.add(&[x, t.int(i)])], t.int(i));
    }
    let mut deep = t.current("b", Sort::Bool);
    for i in 0..100_000 {
        deep = t.eq(deep, t.current(format!("b{}", i % 7), Sort::Bool));
    }
    solver.assert(deep).unwrap();
    let wide = t.or((0..100_000).map(|i| t.eq(x, t.int(i))));
    solver.assert(wide).unwrap();
    let read = t.select(m, &[t.add(&[x, t.int(5)])]);
    assert_eq!(
        solver.check(&[t.eq(read, t.int(6))], Some(Duration::from_secs(60))),
        Answer::Unsat
    );
}

#[test]
fn changing_between_z3s_solvers() {
    use ult_core::formula::BvOp;
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    let [v, w] = ["v", "w"].map(|n| t.current(n, Sort::BitVec(16)));
    let number = |n: u32| t.bitvec(n.into(), 16);
    let product = t.eq(t.bv(BvOp::Mul, &[v, w]), number(15));
    let small = |x| t.bv(BvOp::Ult, &[x, number(4)]);
    // Bit-vectors only.
    solver.assert(product).unwrap();
    solver.push();
    solver.assert(t.bv(BvOp::Ult, &[number(1), v])).unwrap();
    let free = t.eq(t.bv(BvOp::And, &[w, number(0)]), number(0));
    assert_eq!(
        solver.check(&[free, small(v), small(w)], None),
        Answer::Unsat
    );
    assert_eq!(solver.core(), [small(v), small(w)]);
    assert_eq!(solver.check(&[small(v)], None), Answer::Sat);
    let three = ult_core::formula::Value::BitVec(3u32.into(), 16);
    assert_eq!(solver.model().unwrap().value(v), Ok(three.clone()));
    // An integer comes in, then a product, then a quantifier, at an inner level.
    solver.push();
    let x = int(&t, "x");
    let odd = t.eq(t.modulo(x, t.int(2)), t.int(1));
    let even = t.eq(t.modulo(x, t.int(2)), t.int(0));
    assert_eq!(solver.check(&[odd, even], None), Answer::Unsat);
    assert_eq!(solver.check(&[small(v), odd], None), Answer::Sat);
    assert_eq!(solver.model().unwrap().value(v), Ok(three.clone()));
    let square = t.eq(t.mul(&[x, x]), t.int(49));
    assert_eq!(solver.check(&[square, even], None), Answer::Unsat);
    let i = t.fresh_bound("i", Sort::Int);
    let least = t.bind(
        BinderKind::Forall,
        &[i],
        t.or2(t.lt(i, t.int(0)), t.le(x, i)),
        &[],
    );
    assert_eq!(
        solver.check(&[least, t.lt(t.int(0), x)], None),
        Answer::Unsat
    );
    solver.pop();
    solver.pop();
    // What the levels had is gone, what was there before is not.
    assert_eq!(solver.check(&[t.eq(v, number(1))], None), Answer::Sat);
    assert_eq!(solver.check(&[t.eq(v, number(0))], None), Answer::Unsat);
}

#[test]
fn limits_on_bit_vectors() {
    use ult_core::formula::BvOp;
    let t = Terms::new();
    let control = Control::unlimited();
    let session = Session::new(&t, &[], &control);
    let mut solver = session.solver();
    // The factors of a product of two large primes.
    let [v, w] = ["v", "w"].map(|n| t.zero_extend(t.current(n, Sort::BitVec(48)), 48));
    let product = t.bitvec(
        num_bigint::BigUint::from(99_999_999_977u64) * 99_999_999_947u64,
        96,
    );
    let one = t.bitvec(1u32.into(), 96);
    let hard = t.and([
        t.eq(t.bv(BvOp::Mul, &[v, w]), product),
        t.bv(BvOp::Ult, &[one, v]),
        t.bv(BvOp::Ult, &[one, w]),
    ]);
    solver.assert(hard).unwrap();
    let limit = Some(Duration::from_millis(200));
    assert_eq!(solver.check(&[], limit), Answer::Unknown(Failure::Timeout));
    let stopper = std::thread::spawn({
        let control = control.clone();
        move || {
            std::thread::sleep(Duration::from_millis(200));
            control.stop(Stop::Memory);
        }
    });
    assert_eq!(
        solver.check(&[], None),
        Answer::Unknown(Failure::Stopped(Stop::Memory))
    );
    stopper.join().unwrap();
}

#[test]
fn by_triggers_quantified_questions_are_refuted_or_left_open() {
    let t = Terms::new();
    let f = Arc::new(Function {
        name: "f".into(),
        params: vec![Sort::Int],
        result: Sort::Int,
    });
    let at = |x: Term| t.apply(&f, &[x]);
    let i = t.fresh_bound("i", Sort::Int);
    let axiom = t.bind(
        BinderKind::Forall,
        &[i],
        t.lt(t.int(0), at(i)),
        &[vec![at(i)]],
    );
    for split in [Split::Goal, Split::Activity] {
        let session = Session::new(&t, &[axiom], &Control::unlimited()).by_triggers(split);
        let mut solver = session.solver();
        assert!(solver.is_by_triggers());
        let (zero, one) = (t.eq(at(t.int(7)), t.int(0)), t.eq(at(t.int(7)), t.int(1)));
        assert_eq!(solver.check(&[zero], None), Answer::Unsat);
        assert_eq!(solver.core(), [zero]);
        // There is a model, and nobody looks for it.
        assert!(matches!(
            solver.check(&[one], None),
            Answer::Unknown(Failure::Incomplete(_))
        ));
        // What has no quantifiers is asked as ever.
        let session = Session::new(&t, &[], &Control::unlimited()).by_triggers(split);
        let mut solver = session.solver();
        assert!(!solver.is_by_triggers());
        assert_eq!(solver.check(&[one], None), Answer::Sat);
    }
}

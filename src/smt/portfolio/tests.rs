//! Each tactic by itself, all of them together, and what is refused.

use std::time::{Duration, Instant};

use super::adaptive::Plan;
use super::helper::{Helper, Progress};
use super::{Tactic, fresh};
use crate::features::Profile;
use crate::raw::{Apart, Truth};
use crate::{Answer, Failure, Session};
use ult_core::control::{Control, Stop};
use ult_core::formula::{BinderKind, BvOp, Float, Format, Mode, Sort, Term, Terms, Value};

/// Long enough for any of these questions on any machine.
const AMPLE: Duration = Duration::from_secs(120);

fn int(t: &Terms, name: &str) -> Term {
    t.current(name, Sort::Int)
}

fn finished(helper: &Helper) -> super::Finding {
    match helper.wait(AMPLE) {
        Progress::Ended(finding) => finding,
        Progress::Working | Progress::Lost => panic!("no answer"),
    }
}

/// A fresh solver's answer to what is asserted.
fn asked_apart(session: &Session<'_>, formulas: &[Term]) -> (Answer, Option<crate::raw::Model>) {
    let mut solver = session.solver();
    for &formula in formulas {
        solver.assert(formula).unwrap();
    }
    solver.settle().unwrap();
    let (helper, told) = fresh::start(&solver, &[]).unwrap();
    let finding = finished(&helper);
    match finding.answer {
        Ok(Truth::Sat) => {
            let model = fresh::model(session, &finding.apart, &told).unwrap();
            (Answer::Sat, Some(model))
        }
        Ok(_) => (Answer::Unsat, None),
        Err(failure) => (Answer::Unknown(failure), None),
    }
}

/// What each tactic says to whether the formulas can hold together: the session, a fresh solver, and
/// both as they are asked in a run. Models are looked at.
pub(crate) fn by_all_tactics(t: &Terms, formulas: &[Term], limit: Option<Duration>) -> Vec<Answer> {
    let by = |plan: Option<Plan>| {
        let session = Session::new(t, &[], &Control::unlimited());
        session.adaptive.borrow_mut().fixed = plan;
        let mut solver = session.solver();
        let answer = solver.check(formulas, limit);
        if answer == Answer::Sat {
            let model = solver.model().unwrap();
            for &formula in formulas {
                let value = model.value(formula);
                assert_eq!(value, Ok(Value::Bool(true)), "{}", t.display(formula));
            }
        }
        answer
    };
    vec![by(None), by(Some(FRESH)), by(Some(TURNS)), by(Some(BESIDE))]
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
fn a_fresh_solver_gives_models_in_the_sessions_terms() {
    let t = Terms::new();
    let [x, y] = ["x", "y"].map(|n| int(&t, n));
    let m = t.current("m", Sort::map(vec![Sort::Int], Sort::Int));
    let v = t.current("v", Sort::BitVec(16));
    let f = std::sync::Arc::new(ult_core::formula::Function {
        name: "f".into(),
        params: vec![Sort::Int],
        result: Sort::Uninterpreted("E".into()),
    });
    let of = |i| t.apply(&f, &[i]);
    let formulas = [
        t.lt(x, y),
        t.eq(t.select(t.store(m, &[x], t.int(5)), &[y]), t.int(7)),
        t.neq(of(x), of(y)),
        t.eq(t.bv(BvOp::Mul, &[v, v]), t.bitvec(49u32.into(), 16)),
    ];
    let session = Session::new(&t, &[], &Control::unlimited());
    let (answer, model) = asked_apart(&session, &formulas);
    assert_eq!(answer, Answer::Sat);
    let model = crate::Model::new(&session, model.unwrap(), false);
    for formula in formulas {
        assert_eq!(model.value(formula), Ok(Value::Bool(true)));
    }
    let number = |term| match model.value(term) {
        Ok(Value::Int(number)) => number,
        other => panic!("{other:?}"),
    };
    assert!(number(x) < number(y));
    assert_eq!(number(t.select(m, &[y])), 7.into());
    assert!(matches!(model.value(m), Ok(Value::Map(_))));
    assert_eq!(model.function(&f).unwrap().entries.len().min(1), 1);
    let (answer, _) = asked_apart(&session, &[formulas[0], t.lt(y, x)]);
    assert_eq!(answer, Answer::Unsat);
}

#[test]
fn a_fresh_solver_over_bits() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let [v, w] = ["v", "w"].map(|n| t.current(n, Sort::BitVec(32)));
    let product = t.eq(t.bv(BvOp::Mul, &[v, w]), t.bitvec(35u32.into(), 32));
    let small = |v| t.bv(BvOp::Ult, &[v, t.bitvec(6u32.into(), 32)]);
    let (answer, model) = asked_apart(&session, &[product, small(v)]);
    assert_eq!(answer, Answer::Sat);
    let model = crate::Model::new(&session, model.unwrap(), false);
    assert_eq!(model.value(product), Ok(Value::Bool(true)));
    let (answer, _) = asked_apart(&session, &[product, small(v), small(w)]);
    assert_eq!(answer, Answer::Unsat);
    // Floating-point numbers as bits.
    let format = Format::new(8, 24).unwrap();
    let h = t.current("h", Sort::Float(8, 24));
    let number = Float::from_integer(&3.into(), Mode::NearestEven, format);
    let one = t.float(&number);
    let (answer, model) = asked_apart(&session, &[t.eq(h, one)]);
    assert_eq!(answer, Answer::Sat);
    let model = crate::Model::new(&session, model.unwrap(), true);
    assert_eq!(model.value(h), Ok(Value::Float(number)));
}

#[test]
fn a_wrong_model_is_refused() {
    let t = Terms::new();
    let x = int(&t, "x");
    let session = Session::new(&t, &[], &Control::unlimited());
    let of = |n: i64| {
        session
            .encode_for(Profile::Linear, t.eq(x, t.int(n)))
            .unwrap()
    };
    let apart = Apart::new(&[of(1)], None, 0).unwrap();
    assert_eq!(apart.check(), Ok(Truth::Sat));
    assert!(fresh::model(&session, &apart, &[of(1)]).is_ok());
    for wrong in [vec![of(2)], vec![of(1), of(2)]] {
        let refused = fresh::model(&session, &apart, &wrong).err();
        assert!(matches!(refused, Some(Failure::UnexpectedOutput(_))));
    }
    // Nor is one believed of which nobody can say whether it is one.
    let i = t.fresh_bound("i", Sort::Int);
    let f = std::sync::Arc::new(ult_core::formula::Function {
        name: "f".into(),
        params: vec![Sort::Int],
        result: Sort::Int,
    });
    let above = t.lt(x, t.apply(&f, &[i]));
    let all = t.bind(BinderKind::Forall, &[i], above, &[]);
    let all = session.encode_for(Profile::General, all).unwrap();
    assert!(fresh::model(&session, &apart, &[of(1), all]).is_err());
}

#[test]
fn helpers_stop_when_they_are_dropped() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let hard = session.encode_for(Profile::General, hard(&t)).unwrap();
    let helper = Helper::start(Apart::new(&[hard], None, 0).unwrap()).unwrap();
    let waited = helper.wait(Duration::from_millis(50));
    assert!(matches!(waited, Progress::Working));
    let start = Instant::now();
    drop(helper);
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// A fresh solver first, and nobody beside it for as long as any question here takes.
const FRESH: Plan = Plan {
    patience: Duration::ZERO,
    head_start: AMPLE,
    side_by_side: true,
};

/// Both tactics at once.
const BESIDE: Plan = Plan {
    patience: Duration::ZERO,
    head_start: Duration::ZERO,
    side_by_side: true,
};

/// One tactic after the other, as on a machine with one core.
const TURNS: Plan = Plan {
    patience: Duration::ZERO,
    head_start: Duration::ZERO,
    side_by_side: false,
};

fn session_with<'t>(t: &'t Terms, control: &Control, plan: Plan) -> Session<'t> {
    let session = Session::new(t, &[], control);
    session.adaptive.borrow_mut().fixed = Some(plan);
    session
}

#[test]
fn every_plan_gives_models_and_cores() {
    for plan in [FRESH, BESIDE, TURNS] {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|n| int(&t, n));
        let session = session_with(&t, &Control::unlimited(), plan);
        let mut solver = session.solver();
        solver.assert(t.lt(x, y)).unwrap();
        let (low, high) = (t.lt(y, t.int(10)), t.lt(t.int(10), x));
        assert_eq!(solver.check(&[low, low], None), Answer::Sat);
        let model = solver.model().unwrap();
        for formula in [low, t.lt(x, y)] {
            assert_eq!(model.value(formula), Ok(Value::Bool(true)));
        }
        // The model can be projected, as the session's own.
        let projected = model.project(t.and([low, t.lt(x, y)]), &[y]).unwrap();
        assert_eq!(model.value(projected), Ok(Value::Bool(true)));
        assert_eq!(solver.check(&[low, high, low], None), Answer::Unsat);
        let core = solver.core();
        assert!(core.contains(&low) && core.contains(&high) && core.len() == 2);
        assert_eq!(solver.minimise_core(vec![low, high], None), [low, high]);
        solver.push();
        solver.assert(high).unwrap();
        assert_eq!(solver.check(&[low], None), Answer::Unsat);
        solver.pop();
        assert_eq!(solver.check(&[low], None), Answer::Sat);
        let mut stats = ult_core::stats::Statistics::default();
        session.take_calls(&mut stats);
        assert!(stats.ways_tried["fresh"] > 0);
        if plan == FRESH {
            assert_eq!(stats.ways_won["fresh"], stats.solver_calls - 1);
            assert!(!stats.ways_tried.contains_key("session"));
        }
    }
}

#[test]
fn what_one_way_gives_up_another_may_answer() {
    // A session that has no time at all for its first try, and none after it until the fresh
    // solver is done.
    let t = Terms::new();
    let plan = Plan {
        patience: Duration::from_nanos(1),
        ..FRESH
    };
    let session = session_with(&t, &Control::unlimited(), plan);
    let mut solver = session.solver();
    // Large enough that it is interrupted before it has begun.
    let xs: Vec<Term> = (0..400).map(|i| int(&t, &format!("x{i}"))).collect();
    for pair in xs.windows(2) {
        let step = t.eq(pair[1], t.add(&[pair[0], t.int(1)]));
        solver.assert(t.or2(step, t.eq(pair[1], pair[0]))).unwrap();
    }
    let far = t.lt(t.add(&[xs[0], t.int(399)]), xs[399]);
    assert_eq!(solver.check(&[far], Some(AMPLE)), Answer::Unsat);
    assert_eq!(solver.core(), [far]);
    let mut stats = ult_core::stats::Statistics::default();
    session.take_calls(&mut stats);
    assert_eq!(stats.solver_calls, 1);
    assert_eq!(stats.ways_tried["session"], 1);
}

#[test]
fn when_all_tactics_fail_the_answer_is_unknown() {
    for plan in [FRESH, BESIDE, TURNS] {
        let t = Terms::new();
        let session = session_with(&t, &Control::unlimited(), plan);
        let mut solver = session.solver();
        let start = Instant::now();
        let limit = Some(Duration::from_millis(300));
        let answer = solver.check(&[hard(&t)], limit);
        assert_eq!(answer, Answer::Unknown(Failure::Timeout));
        assert!(start.elapsed() < Duration::from_secs(30));
        assert!(solver.model().is_err() && solver.core().is_empty());
        // And it is of use afterwards.
        assert_eq!(solver.check(&[], None), Answer::Sat);
    }
}

#[test]
fn a_stop_ends_all_tactics() {
    for plan in [FRESH, BESIDE, TURNS] {
        let t = Terms::new();
        let control = Control::unlimited();
        let session = session_with(&t, &control, plan);
        let stopper = std::thread::spawn({
            let control = control.clone();
            move || {
                std::thread::sleep(Duration::from_millis(200));
                control.stop(Stop::Memory);
            }
        });
        let start = Instant::now();
        assert_eq!(
            session.solver().check(&[hard(&t)], None),
            Answer::Unknown(Failure::Stopped(Stop::Memory))
        );
        assert!(start.elapsed() < Duration::from_secs(30));
        stopper.join().unwrap();
    }
}

#[test]
fn the_first_answer_counts_and_the_other_way_is_stopped() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    solver.assert(hard(&t)).unwrap();
    solver.settle().unwrap();
    // The helper works on something easy: its bell wakes the session up.
    let easy = session.encode_for(Profile::Linear, t.ff()).unwrap();
    let helper = Helper::start(Apart::new(&[easy], None, 0).unwrap()).unwrap();
    let waker = solver.waker().unwrap();
    let bell = helper.bell();
    let listening = bell.listen(move || waker.wake());
    if let Progress::Ended(finding) = helper.wait(Duration::ZERO) {
        assert_eq!(finding.answer, Ok(Truth::Unsat));
        return;
    }
    let answer = solver.ask(&[], Some(AMPLE));
    drop(listening);
    assert_eq!(answer, Err(Failure::Timeout));
    assert_eq!(finished(&helper).answer, Ok(Truth::Unsat));
}

#[test]
fn a_way_that_keeps_winning_goes_first() {
    let mut adaptive = super::Adaptive::default();
    let [bits, linear] = [Profile::Bits, Profile::Linear];
    let usual = adaptive.plan(bits);
    for _ in 0..3 {
        assert_eq!(adaptive.plan(bits), usual);
        adaptive.won(bits, Tactic::Fresh);
        adaptive.won(linear, Tactic::Session);
    }
    assert!(adaptive.plan(bits).patience < usual.patience);
    assert!(adaptive.plan(bits).head_start > usual.head_start);
    assert!(adaptive.plan(linear).patience > usual.patience);
    assert!(adaptive.plan(linear).head_start.is_zero());
    adaptive.won(bits, Tactic::Session);
    adaptive.won(linear, Tactic::Fresh);
    assert_eq!((adaptive.plan(bits), adaptive.plan(linear)), (usual, usual));
}

//! What the solver must be able to do, tried with questions whose answers are known.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::{Check, Ill, REPORT};
use crate::limits;
use ult_core::control::{Control, Stop};
use ult_core::formula::{BvOp, Sort, Term, Terms, Value, Version};
use ult_core::graph::{Edge, Location, ProgramGraph, Transition};
use ult_core::stats::Statistics;
use ult_interpolate::{Chain, Strategy, sequence};
use ult_smt::{Answer, Failure, Session};

/// The checks, from what everything needs to what is rarely needed.
pub(super) fn checks() -> Vec<Check> {
    let check = |claim: &str, attempt: fn() -> Result<(), String>| Check {
        claim: claim.to_owned(),
        attempt: Box::new(move || attempt().map(|()| None).map_err(ill)),
    };
    let mut checks = vec![
        check("a satisfiable question has a model", satisfiable),
        check("an unsatisfiable question has a core", unsatisfiable),
        check("quantifier elimination", projection),
    ];
    for (strategy, _) in Strategy::ALL {
        checks.push(Check {
            claim: format!("interpolation: {strategy}"),
            attempt: Box::new(move || interpolation(strategy).map(|()| None).map_err(ill)),
        });
    }
    checks.push(check("a time limit is kept", time_limit));
    checks.push(check("a question can be cancelled", cancellation));
    checks
}

fn ill(what: String) -> Ill {
    Ill {
        what,
        remedy: format!(
            "remove the folder of Z3's library that is named above, and build again, so that another copy of Z3 is \
             fetched; if it stays, {REPORT}"
        ),
    }
}

fn failed(failure: Failure) -> String {
    format!("the solver fails: {failure}")
}

fn unexpected(answer: &Answer) -> String {
    format!("the solver answers {answer:?}")
}

/// 3 x == 2 y, 0 < x < y, and a look at the values.
fn satisfiable() -> Result<(), String> {
    let t = Terms::new();
    let [x, y] = ["x", "y"].map(|name| t.current(name, Sort::Int));
    let question = t.and([
        t.eq(t.mul(&[t.int(3), x]), t.mul(&[t.int(2), y])),
        t.lt(t.int(0), x),
        t.lt(x, y),
    ]);
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    match solver.check(&[question], None) {
        Answer::Sat => {}
        other => return Err(unexpected(&other)),
    }
    let model = solver.model().map_err(failed)?;
    let [x, y] = [x, y].map(|variable| model.value(variable));
    let (x, y) = (x.map_err(failed)?, y.map_err(failed)?);
    match (&x, &y) {
        // Computed here, without the solver.
        (Value::Int(a), Value::Int(b)) if a * 3 == b * 2 && *a > 0.into() && a < b => Ok(()),
        _ => Err(format!(
            "the model is wrong: 3 x == 2 y, 0 < x < y, but x is {x:?} and y is {y:?}"
        )),
    }
}

/// Of three assumptions two contradict each other.
fn unsatisfiable() -> Result<(), String> {
    let t = Terms::new();
    let [x, y] = ["x", "y"].map(|name| t.current(name, Sort::Int));
    let (less, harmless, greater) = (t.lt(x, y), t.lt(t.int(7), x), t.lt(y, x));
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    match solver.check(&[less, harmless, greater], None) {
        Answer::Unsat => {}
        other => return Err(unexpected(&other)),
    }
    let core = solver.core();
    if core.contains(&less) && core.contains(&greater) {
        Ok(())
    } else {
        Err("the core lacks what contradicts".into())
    }
}

/// There is a y with x < y < z: x and z remain, and z is at least x + 2.
fn projection() -> Result<(), String> {
    let t = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| t.current(name, Sort::Int));
    let between = t.and([t.lt(x, y), t.lt(y, z)]);
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    match solver.check(&[between], None) {
        Answer::Sat => {}
        other => return Err(unexpected(&other)),
    }
    let model = solver.model().map_err(failed)?;
    let result = model.project(between, &[y]).map_err(failed)?;
    if t.free_vars(&[result]).contains(&y) {
        return Err("an eliminated variable is still there".into());
    }
    match solver.check(&[result, t.lt(z, t.add(&[x, t.int(2)]))], None) {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err("the result allows too much".into()),
        other => Err(unexpected(&other)),
    }
}

/// `x' == 0`, `x' == x + 1`, `x == 5`: interpolants between the three steps. They are checked, as always.
fn interpolation(strategy: &Strategy) -> Result<(), String> {
    let t = Terms::new();
    let sort = match strategy {
        Strategy::Integers => Sort::BitVec(8),
        _ => Sort::Int,
    };
    let (x, next) = (t.current("x", sort.clone()), t.next("x", sort.clone()));
    let number = |n: u32| match sort {
        Sort::BitVec(width) => t.bitvec(n.into(), width),
        _ => t.int(n),
    };
    let successor = match sort {
        Sort::BitVec(_) => t.bv(BvOp::Add, &[x, number(1)]),
        _ => t.add(&[x, number(1)]),
    };
    let steps = [
        t.eq(next, number(0)),
        t.eq(next, successor),
        t.eq(x, number(5)),
    ];
    let chain = chain(&t, &sort, &steps);
    let session = Session::new(&t, &[], &Control::unlimited());
    let sequence = sequence(strategy, &session, &chain, &mut Statistics::default())
        .map_err(|reason| reason.to_string())?;
    if sequence.is_empty() {
        return Err("there are no interpolants".into());
    }
    Ok(())
}

/// A path with these transitions, each of which changes `x` if it says so.
fn chain(t: &Terms, sort: &Sort, transitions: &[Term]) -> Chain {
    let mut graph = ProgramGraph::new("path");
    let x: Arc<str> = "x".into();
    graph.variables.insert(x.clone(), sort.clone());
    let mut from = graph.initial;
    let mut edges = Vec::new();
    for &formula in transitions {
        let to = graph.graph.add_node(Location::named("l"));
        let changed = t.names_of(&[formula], Version::Next).into_keys().collect();
        let transition = Transition { formula, changed };
        let edge = Edge::new(transition, None);
        edges.push(graph.graph.add_edge(from, to, edge));
        from = to;
    }
    Chain::new(t, &graph, &edges, &vec![t.tt(); edges.len() + 1])
}

/// A question that takes any solver of this kind very long: so many pigeons and one hole less.
fn endless(t: &Terms) -> Term {
    const HOLES: usize = 12;
    let at = |pigeon: usize, hole: usize| t.current(format!("p{pigeon}h{hole}"), Sort::Bool);
    let mut clauses = Vec::new();
    for pigeon in 0..=HOLES {
        clauses.push(t.or((0..HOLES).map(|hole| at(pigeon, hole))));
        for other in 0..pigeon {
            clauses.extend(
                (0..HOLES).map(|hole| t.or([t.not(at(pigeon, hole)), t.not(at(other, hole))])),
            );
        }
    }
    t.and(clauses)
}

fn time_limit() -> Result<(), String> {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut solver = session.solver();
    let start = Instant::now();
    let answer = solver.check(&[endless(&t)], Some(Duration::from_millis(100)));
    ended(&answer, &Failure::Timeout, start.elapsed())?;
    // It is of use afterwards.
    match solver.check(&[], None) {
        Answer::Sat => Ok(()),
        other => Err(format!("afterwards, {}", unexpected(&other))),
    }
}

fn cancellation() -> Result<(), String> {
    let t = Terms::new();
    let control = Control::unlimited();
    let session = Session::new(&t, &[], &control);
    let stopper = {
        let control = control.clone();
        thread::Builder::new().spawn(move || {
            thread::sleep(Duration::from_millis(100));
            control.stop(Stop::Cancelled);
        })
    };
    let stopper = stopper.map_err(|error| format!("no thread can be started: {error}"))?;
    let start = Instant::now();
    let answer = session.solver().check(&[endless(&t)], None);
    let elapsed = start.elapsed();
    // It only sleeps and stops.
    let _ = stopper.join();
    ended(&answer, &Failure::Stopped(Stop::Cancelled), elapsed)
}

fn ended(answer: &Answer, how: &Failure, elapsed: Duration) -> Result<(), String> {
    if *answer != Answer::Unknown(how.clone()) {
        return Err(unexpected(answer));
    }
    if elapsed > limits::DOCTOR_STOP {
        return Err(format!(
            "it took {} seconds where a tenth of one was wanted",
            elapsed.as_secs()
        ));
    }
    Ok(())
}

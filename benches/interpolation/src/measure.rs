//! One strategy on one chain.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde::Serialize;
use ult_core::control::{Control, Stop};
use ult_core::formula::{Term, Terms};
use ult_core::stats::Statistics;
use ult_interpolate::{Chain, Strategy, sequence};
use ult_smt::{Answer, Session};

use crate::chains::{Family, Loop};

/// How long a question about the quality of interpolants may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// What came out.
#[derive(Clone, Debug, Serialize)]
pub struct Cell {
    /// The theory.
    pub group: String,
    /// The loop.
    pub family: String,
    /// How often it is unrolled.
    pub unrollings: usize,
    /// The strategy.
    pub strategy: String,
    /// Whether there are interpolants.
    pub solved: bool,
    /// The strategy that found them; differs for `auto`.
    pub by: String,
    /// Median milliseconds in a fresh session, preparation and check of the result included.
    pub ms: Option<f64>,
    /// Median milliseconds for the same chain again, in the session that has just solved it.
    pub again_ms: Option<f64>,
    /// Different nodes in all interpolants together.
    pub size: Option<usize>,
    /// Whether one of them is a safe inductive invariant of the loop.
    pub invariant: bool,
    /// Whether one of them implies the union of the earlier ones: IMPACT would cover, and be done.
    pub cover: bool,
    /// Why there are none.
    pub failure: String,
}

/// The failure of a chain that took too long.
pub const OUT_OF_TIME: &str = "time";

/// The failure of a chain that was left out, since shorter ones ran out of time.
pub const NOT_TRIED: &str = "not tried";

/// A chain that is left out.
pub fn skipped(family: &Family, unrollings: usize, strategy: &Strategy) -> Cell {
    Cell {
        group: family.group.to_string(),
        family: family.name.to_owned(),
        unrollings,
        strategy: strategy.to_string(),
        solved: false,
        by: String::new(),
        ms: None,
        again_ms: None,
        size: None,
        invariant: false,
        cover: false,
        failure: NOT_TRIED.to_owned(),
    }
}

/// Measures, `repetitions` times or until a second is used up.
pub fn measure(
    family: &Family,
    unrollings: usize,
    strategy: &Strategy,
    limit: Duration,
    repetitions: usize,
) -> Cell {
    let mut cell = skipped(family, unrollings, strategy);
    cell.failure.clear();
    let start = Instant::now();
    let (mut first, mut again) = (Vec::new(), Vec::new());
    for repetition in 0..repetitions.max(1) {
        if repetition > 0 && start.elapsed() > Duration::from_secs(1) {
            break;
        }
        // A store of its own: what an earlier strategy has built would help, or change the order.
        let terms = Terms::new();
        let program = (family.build)(&terms);
        let chain = program.chain(unrollings);
        let result = catch_unwind(AssertUnwindSafe(|| once(&program, &chain, strategy, limit)));
        match result {
            Ok(Ok(run)) => {
                first.push(run.first);
                again.extend(run.again);
                if repetition == 0 {
                    cell.by = run.by;
                    cell.solved = true;
                    judge(&mut cell, &program, &run.interpolants);
                }
            }
            // What fails once counts as not solved.
            Ok(Err(failure)) => {
                return Cell {
                    failure,
                    ..skipped(family, unrollings, strategy)
                };
            }
            Err(_) => {
                return Cell {
                    failure: "panic".to_owned(),
                    ..skipped(family, unrollings, strategy)
                };
            }
        }
    }
    cell.ms = median(first);
    cell.again_ms = median(again);
    cell
}

struct Run {
    first: f64,
    again: Option<f64>,
    by: String,
    interpolants: Vec<Term>,
}

/// One run, and another one in the same session if there is time for it.
fn once(
    program: &Loop<'_>,
    chain: &Chain,
    strategy: &Strategy,
    limit: Duration,
) -> Result<Run, String> {
    let control = Control::unlimited().within(Some(limit));
    let (done, finished) = mpsc::channel::<()>();
    let watched = control.clone();
    // The deadline alone does not stop a call into Z3 that has no limit of its own.
    let watch = std::thread::spawn(move || {
        if finished.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
            watched.stop(Stop::Timeout);
        }
    });
    let start = Instant::now();
    // The session is part of what is measured: an engine makes one, too.
    let session = Session::new(program.terms, &program.graph.axioms, &control);
    let mut stats = Statistics::default();
    let result = sequence(strategy, &session, chain, &mut stats);
    let first = milliseconds(start.elapsed());
    let run = match result {
        Ok(interpolants) => {
            let mut again = None;
            if start.elapsed() < limit / 3 {
                let start = Instant::now();
                let repeated = sequence(strategy, &session, chain, &mut Statistics::default());
                again = repeated.is_ok().then(|| milliseconds(start.elapsed()));
            }
            let by = stats.interpolations.keys().next().cloned();
            Ok(Run {
                first,
                again,
                by: by.unwrap_or_default(),
                interpolants,
            })
        }
        Err(_) if start.elapsed() >= limit => Err(OUT_OF_TIME.to_owned()),
        Err(reason) => Err(reason.to_string()),
    };
    // The watch may be over; then it needs no word.
    let _ = done.send(());
    let _ = watch.join();
    run
}

/// Size and quality.
fn judge(cell: &mut Cell, program: &Loop<'_>, interpolants: &[Term]) {
    let terms = program.terms;
    let session = Session::new(terms, &program.graph.axioms, &Control::unlimited());
    cell.size = Some(terms.post_order(interpolants).len());
    cell.invariant = interpolants.iter().any(|&interpolant| {
        program
            .is_invariant(&session, interpolant, PATIENCE)
            .is_ok()
    });
    cell.cover = (1..interpolants.len()).any(|later| {
        let mut question = vec![interpolants[later]];
        question.extend(
            interpolants[..later]
                .iter()
                .map(|&earlier| terms.not(earlier)),
        );
        session.solver().check(&question, Some(PATIENCE)) == Answer::Unsat
    });
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

/// The middle one, the lower of two.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len().checked_sub(1)? / 2).copied()
}

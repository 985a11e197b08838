//! Several engines on one graph: cheap checks first, then engines side by side.
//!
//! One engine alone goes first, for a short time: most programs need no more. What it leaves open
//! goes to all [`MEMBERS`], as many at a time as the machine has cores. They share a board of
//! invariants. Whoever has a claim hands it over at once; the first claim that the checker accepts
//! for an error location counts, and when all are decided the other engines are cancelled.
//!
//! Terms belong to one thread at a time, so each engine works on a clone of the store and of the
//! graph; its outcome is imported.

use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::control::{Control, Stop};
use crate::engine::{Common, EngineKind, Outcome, Task};
use crate::formula::Terms;
use crate::graph::ProgramGraph;
use crate::reason::Reason;
use crate::stats::Statistics;
use crate::verify::guarded;

/// The engine that goes first.
const FIRST: EngineKind = EngineKind::Slicing;

/// The first engine has the stage for itself so long at most, and for a tenth of the time.
const ALONE: Duration = Duration::from_secs(3);

/// Who works on what the first engine leaves open, the most promising first.
const MEMBERS: &[EngineKind] = &[EngineKind::Slicing];

/// How often the stop signal is looked at while engines work.
const GLANCE: Duration = Duration::from_millis(20);

/// What has become of the error locations after an outcome was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// All are decided.
    Everything,
    /// Some are open.
    Open,
}

/// Hands over the outcome of one engine after the other, until the judge has seen enough.
pub fn run(
    task: &Task<'_>,
    common: &Common,
    stats: &mut Statistics,
    judge: &mut dyn FnMut(EngineKind, Outcome, &mut Statistics) -> Judged,
) {
    let alone = task
        .control
        .remaining()
        .map_or(ALONE, |left| (left / 10).min(ALONE));
    let first = Task {
        control: &task.control.within((MEMBERS != [FIRST]).then_some(alone)),
        ..*task
    };
    let start = Instant::now();
    let outcome = FIRST.engine(common).run(&first, stats);
    stats.engine(FIRST.name(), start.elapsed());
    if judge(FIRST, outcome, stats) == Judged::Everything || MEMBERS == [FIRST] {
        return;
    }
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut waiting: VecDeque<EngineKind> = MEMBERS.iter().copied().collect();
    let (send, receive) = channel();
    let team = task.control.branch();
    let mut working = 0;
    loop {
        while working < cores.max(2)
            && let Some(kind) = waiting.pop_front()
        {
            let rounds = (waiting.len() + 1).div_ceil(cores.max(2));
            let share = team
                .remaining()
                .map(|left| left / u32::try_from(rounds).unwrap_or(u32::MAX));
            let member = Member {
                kind,
                common: common.clone(),
                terms: task.terms.clone(),
                graph: task.graph.clone(),
                control: team.within(share),
                facts: task.facts.clone(),
            };
            if member.start(send.clone()).is_ok() {
                working += 1;
            }
        }
        if working == 0 {
            return;
        }
        match receive.recv_timeout(GLANCE) {
            Ok(result) => {
                working -= 1;
                stats.add(&result.stats);
                let outcome = imported(task.terms, &result.terms, result.outcome);
                if judge(result.kind, outcome, stats) == Judged::Everything {
                    // Nobody waits for them: they end when they hear of it.
                    team.stop(Stop::Cancelled);
                    return;
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                if task.control.check().is_err() {
                    team.stop(Stop::Timeout);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// An engine with what it needs on a thread of its own.
struct Member {
    kind: EngineKind,
    common: Common,
    terms: Terms,
    graph: ProgramGraph,
    control: Control,
    facts: crate::invariants::Facts,
}

/// What comes back from it.
struct Finished {
    kind: EngineKind,
    terms: Terms,
    outcome: Outcome,
    stats: Statistics,
}

impl Member {
    fn start(self, send: Sender<Finished>) -> std::io::Result<()> {
        thread::Builder::new()
            .name(self.kind.to_string())
            .spawn(move || {
                // Nobody listens any more if everything was decided meanwhile.
                let _ = send.send(self.work());
            })
            .map(drop)
    }

    fn work(self) -> Finished {
        let mut stats = Statistics::default();
        let start = Instant::now();
        let task = Task {
            terms: &self.terms,
            graph: &self.graph,
            control: &self.control,
            facts: &self.facts,
        };
        let outcome = guarded(|| Ok(self.kind.engine(&self.common).run(&task, &mut stats)))
            .unwrap_or_else(|reason| undecided(&self.graph, &reason));
        stats.engine(self.kind.name(), start.elapsed());
        Finished {
            kind: self.kind,
            terms: self.terms,
            outcome,
            stats,
        }
    }
}

fn undecided(graph: &ProgramGraph, reason: &Reason) -> Outcome {
    Outcome {
        undecided: graph
            .errors()
            .map(|error| (error, reason.clone()))
            .collect(),
        ..Outcome::default()
    }
}

/// The outcome in another store. Runs consist of values, which belong to no store.
fn imported(terms: &Terms, from: &Terms, mut outcome: Outcome) -> Outcome {
    if let Some(invariants) = &mut outcome.invariants {
        for formula in invariants.at.values_mut() {
            *formula = terms.import(from, *formula);
        }
    }
    outcome
}

//! Several engines on one graph.
//!
//! One engine begins and has the machine for itself for a moment: most programs need no more (if a
//! program is known to run for long before anything is chosen, execution begins with it). Then the
//! program is executed beside it, a second engine joins, and a little later all others, side by
//! side. They share a pool of invariants. Whoever has a
//! claim hands it over at once; the first claim that the checker accepts for an error location
//! counts, and when all are decided the other engines are cancelled.
//!
//! Terms belong to one thread at a time, so each engine works on a clone of the store and of the
//! graph; its outcome is imported.
//!
//! As long as the first engine is alone, the same input gives the same output. Behind that, which
//! engine is the first to prove something may differ from run to run, and with it the invariants
//! shown; verdicts do not.

use std::collections::BTreeMap;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::choice::{Common, EngineKind};
use crate::facts::{Facts, Known};
use crate::limits;
use crate::task::{Outcome, Task};
use ult_core::control::{Control, Stop};
use ult_core::formula::{Term, Terms};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// Who works on a graph, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portfolio {
    /// The engines in the order in which they begin, and when each does: at the latest after a
    /// tenth of the time, and as soon as nobody works.
    pub engines: Vec<(EngineKind, Duration)>,
}

impl Default for Portfolio {
    /// Slicing decides most programs. Predicate abstraction over large blocks decides others at
    /// once, those whose loops need no predicates. Execution finds in a moment what takes many
    /// rounds to get to; explicit values decide what goes through a moderate number of states, as
    /// state machines do. Both end by themselves after some seconds. Polynomial equalities decide
    /// programs that multiply, claims about all objects programs with lists, or end at once.
    fn default() -> Portfolio {
        Portfolio::with_execution(limits::EXECUTION_JOINS)
    }
}

impl Portfolio {
    /// As the default, but the program is executed after this time.
    pub fn with_execution(after: Duration) -> Portfolio {
        let (second, others) = (limits::SECOND_JOINS, limits::OTHERS_JOIN);
        Portfolio {
            engines: vec![
                (EngineKind::Slicing, Duration::ZERO),
                (EngineKind::Run, after),
                (EngineKind::Explicit, second),
                (EngineKind::Predicate, second),
                (EngineKind::Polynomials, second),
                (EngineKind::Heap, second),
                (EngineKind::KInduction, others),
                (EngineKind::Horn, others),
                (EngineKind::Impact, others),
                (EngineKind::Arrays, others),
            ],
        }
    }
}

/// Formulas may be deep. What is not used costs nothing.
const STACK: usize = 64 << 20;

/// Engines that go on as long as they may give way to the checker, and to those that end soon, by so
/// much: these get about three times the share of a core.
#[cfg(target_os = "linux")]
const NICE: i32 = 5;

/// What the judge says about an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// How many error locations are open.
    pub open: u64,
    /// Whether the invariants of the outcome were confirmed, as far as they go.
    pub proved: bool,
}

impl Portfolio {
    /// Hands over the outcome of one engine after the other, until nothing is open or all have
    /// ended.
    pub fn run(
        &self,
        task: &Task<'_>,
        common: &Common,
        stats: &mut Statistics,
        judge: &mut dyn FnMut(EngineKind, &mut Outcome, &mut Statistics) -> Judged,
    ) {
        let team = task.control.branch();
        let (send, receive) = channel();
        let start = |kind: EngineKind| -> bool {
            let member = Member {
                kind,
                common: Common {
                    beside: true,
                    ..common.clone()
                },
                terms: task.terms.clone(),
                graph: task.graph.clone(),
                original: (kind.reads_original())
                    .then(|| (task.original.clone(), task.places.clone())),
                control: team.clone(),
                facts: task.facts.clone(),
            };
            member.start(send.clone()).is_ok()
        };
        let begun = Instant::now();
        let latest = task.control.remaining().map(|left| left / 10);
        let is_due = |after: Duration| {
            let after = latest.map_or(after, |latest| after.min(latest));
            begun.elapsed() >= after
        };
        let mut waiting = self.engines.iter().copied().peekable();
        let mut working = 0;
        loop {
            while let Some((kind, _)) = waiting.next_if(|&(_, after)| working == 0 || is_due(after))
            {
                if start(kind) {
                    working += 1;
                    continue;
                }
                // No thread to be had: then one after the other.
                let mut outcome = kind.engine(common).run(task, stats);
                if judge(kind, &mut outcome, stats).open == 0 {
                    team.stop(Stop::Cancelled);
                    return;
                }
            }
            if working == 0 {
                return;
            }
            let result = match receive.recv_timeout(limits::GLANCE) {
                Ok(result) => result,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            working -= 1;
            stats.add(&result.stats);
            let mut outcome = imported(task.terms, &result.terms, result.outcome);
            let judged = judge(result.kind, &mut outcome, stats);
            if judged.open == 0 {
                // Nobody waits for them: they end when they hear of it.
                team.stop(Stop::Cancelled);
                return;
            }
            if judged.proved {
                task.facts.publish(task.terms, &proved(&outcome));
            }
        }
    }
}

/// The invariants of an outcome.
fn proved(outcome: &Outcome) -> Known {
    let at = outcome.invariants.iter().flat_map(|claim| &claim.at);
    at.map(|(&location, &formula)| (location, vec![formula]))
        .collect()
}

/// An engine with what it needs on a thread of its own.
struct Member {
    kind: EngineKind,
    common: Common,
    terms: Terms,
    graph: ProgramGraph,
    /// Only for who works on it.
    original: Option<(ProgramGraph, BTreeMap<LocationId, LocationId>)>,
    control: Control,
    facts: Facts,
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
            .stack_size(STACK)
            .spawn(move || {
                if !self.kind.ends_soon() {
                    give_way();
                }
                // Nobody listens any more if everything was decided meanwhile.
                let _ = send.send(self.work());
            })
            .map(drop)
    }

    fn work(self) -> Finished {
        let mut stats = Statistics::default();
        let start = Instant::now();
        let mut task = Task::of_graph(&self.terms, &self.graph, &self.control, &self.facts);
        if let Some((original, places)) = &self.original {
            (task.original, task.places) = (original, places);
        }
        let outcome = guarded(|| Ok(self.kind.engine(&self.common).run(&task, &mut stats)))
            .unwrap_or_else(|reason| undecided(&self.graph, &reason));
        let time = start.elapsed();
        stats.engine(self.kind.name(), time);
        let meter = self.control.meter();
        meter.count(|stats| stats.engine(self.kind.name(), time));
        Finished {
            kind: self.kind,
            terms: self.terms,
            outcome,
            stats,
        }
    }
}

/// Lets threads that did not give way go first, where there are more threads than cores. It is no
/// loss if that is not possible. Threads that are started from here give way as well.
fn give_way() {
    // Elsewhere this would be about the whole process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(NICE);
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
    for invariants in [&mut outcome.invariants, &mut outcome.original.invariants] {
        let Some(claim) = invariants else { continue };
        let formulas: Vec<Term> = claim.at.values().copied().collect();
        // Together: they may share much.
        let imported = terms.import_all(from, &formulas);
        for (formula, own) in claim.at.values_mut().zip(imported) {
            *formula = own;
        }
    }
    let records = std::mem::take(&mut outcome.records).into_iter();
    outcome.records = records.map(|r| r.imported(terms, from)).collect();
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use ult_core::formula::Sort;
    use ult_core::graph::{Edge, Location, Transition};

    /// `x := 0; while (*) { x := x + 1; } assert x >= 0;`, reduced.
    fn counter(terms: &Terms) -> ProgramGraph {
        let mut graph = ProgramGraph::new("counter");
        graph.variables.insert("x".into(), Sort::Int);
        let (name, x, zero) = ("x".into(), terms.current("x", Sort::Int), terms.int(0));
        let head = graph.graph.add_node(Location::named("head"));
        let bad = graph.graph.add_node(Location {
            error: Some("violated".into()),
            ..Location::named("bad")
        });
        let start = graph.initial;
        let steps = [
            (start, head, Transition::assign(terms, &name, zero)),
            (
                head,
                head,
                Transition::assign(terms, &name, terms.add(&[x, terms.int(1)])),
            ),
            (head, bad, Transition::assume(terms.lt(x, zero))),
        ];
        for (from, to, transition) in steps {
            let origin = None;
            graph.graph.add_edge(from, to, Edge { transition, origin });
        }
        graph
    }

    /// Who handed over outcomes, with how many invariants.
    fn heard(portfolio: &Portfolio, stop_at_first: bool) -> (Vec<(EngineKind, usize)>, Duration) {
        let terms = Terms::new();
        let graph = counter(&terms);
        let control = Control::unlimited().within(Some(Duration::from_secs(20)));
        let facts = Facts::default();
        let task = Task::of_graph(&terms, &graph, &control, &facts);
        let mut heard = Vec::new();
        let mut stats = Statistics::default();
        let start = Instant::now();
        portfolio.run(
            &task,
            &Common::default(),
            &mut stats,
            &mut |kind, outcome, _| {
                let invariants = outcome
                    .invariants
                    .as_ref()
                    .map_or(0, |claim| claim.at.len());
                heard.push((kind, invariants));
                Judged {
                    open: u64::from(!stop_at_first),
                    proved: true,
                }
            },
        );
        (heard, start.elapsed())
    }

    #[test]
    fn one_that_never_ends_is_joined_and_cancelled() {
        let portfolio = Portfolio {
            // It only ever unrolls the loop once more.
            engines: vec![
                (EngineKind::Bmc, Duration::ZERO),
                (EngineKind::Slicing, Duration::from_millis(30)),
            ],
        };
        let (heard, time) = heard(&portfolio, true);
        assert_eq!(heard.len(), 1);
        assert_eq!(heard[0].0, EngineKind::Slicing);
        assert!(heard[0].1 > 0);
        assert!(time < Duration::from_secs(10), "{time:?}");
    }

    #[test]
    fn who_begins_is_alone_at_first_and_all_are_heard() {
        let portfolio = Portfolio {
            engines: vec![
                (EngineKind::Slicing, Duration::ZERO),
                (EngineKind::KInduction, Duration::from_secs(3600)),
                (EngineKind::Impact, Duration::from_secs(3600)),
            ],
        };
        let (all, _) = heard(&portfolio, false);
        let kinds: Vec<EngineKind> = all.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds.len(), 3);
        assert_eq!(kinds[0], EngineKind::Slicing);
        let (first, _) = heard(&portfolio, true);
        assert_eq!(first.len(), 1);
    }
}

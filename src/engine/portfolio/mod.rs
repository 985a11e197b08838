//! Several engines on one graph.
//!
//! A look at the graph ([`Features`]) says who works on it ([`Plan`]). One engine begins and has the
//! machine for itself for a moment: most programs need no more. Then others join, one for each core;
//! when one of them has used up its sprint, it goes on behind the others, and the next one begins.
//! They share a pool of invariants. Whoever has a claim hands it over at once, and a trace before it goes on; the first claim that
//! the checker accepts for an error location counts, and when all are decided the other engines are
//! cancelled. While the checker looks at a claim about all of them, the others wait. Where memory is short, no one joins, and
//! one after the other ends, those first that keep all that they ever did.
//!
//! Terms belong to one thread at a time, so each engine works on a clone of the store and of the
//! graph; its outcome is imported.
//!
//! As long as the first engine is alone, the same input gives the same output. Behind that, which
//! engine is the first to prove something may differ from run to run, and with it the invariants
//! shown; verdicts do not.

mod features;
mod plan;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

pub use features::{Deterministic, Features};
pub use plan::{Member, Plan};

use crate::choice::{Common, EngineKind};
use crate::facts::{Facts, Found, Lemmas};
use crate::limits;
use crate::task::{Claims, Outcome, Task, all_undecided};
use crate::thread::{Rank, STACK, Thread};
use ult_core::control::{Control, Stop};
use ult_core::formula::{Term, Terms};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// So much longer than its processor time an engine may take.
const WAITING: u32 = 4;

/// What the judge says about an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// How many error locations are open.
    pub open: u64,
    /// Whether the invariants of the outcome were confirmed, as far as they go.
    pub proved: bool,
}

impl Plan {
    /// Lets the engines work. Hands over the outcome of one engine after the other, until nothing is
    /// open or all have ended.
    pub fn run(
        &self,
        task: &Task<'_>,
        common: &Common,
        stats: &mut Statistics,
        judge: &mut dyn FnMut(EngineKind, &mut Outcome, &mut Statistics) -> Judged,
    ) {
        let team = task.control.branch();
        let (send, receive) = channel();
        let begun = Instant::now();
        let cores = available_parallelism().map_or(1, usize::from);
        let left = task.control.remaining();
        let scale = left.map_or(1.0, |left| {
            left.div_duration_f64(limits::FULL_PLAN).min(1.0)
        });
        let (alone, second) = (self.alone.mul_f64(scale), limits::PLANNED.mul_f64(scale));
        let mut waiting = self.members.iter().copied();
        let mut working: Vec<Working> = Vec::new();
        let mut kinds: Vec<EngineKind> = Vec::new();
        let mut room = Instant::now();
        loop {
            let is_short = task.control.is_memory_short();
            let is_first = kinds.len() == 1;
            let is_due = |working: &[Working]| {
                // A busy machine is no reason for another result.
                let is_alone = is_first && working.iter().any(|first| first.used() < alone);
                begun.elapsed() >= alone && !is_alone && sprinting(working) < cores
            };
            while working.is_empty() || !is_short && is_due(&working) {
                let Some(member) = waiting.next() else { break };
                let kind = member.kind;
                let control = team.branch();
                let worker = Worker::new(kinds.len(), kind, task, common, control.clone());
                kinds.push(kind);
                if let Ok(thread) = worker.start(send.clone()) {
                    working.push(Working {
                        kind,
                        thread,
                        control,
                        since: Instant::now(),
                        sprint: second * member.sprint,
                        budget: second * member.budget,
                        rank: Rank::First,
                    });
                    continue;
                }
                // No thread to be had: then one after the other.
                let mut outcome = kind.engine(common).run(task, stats);
                if judge(kind, &mut outcome, stats).open == 0 {
                    team.stop(Stop::Cancelled);
                    return;
                }
            }
            if working.is_empty() {
                return;
            }
            working.iter_mut().for_each(Working::tire);
            if is_short && Instant::now() >= room && make_room(&working) {
                room = Instant::now() + limits::ROOM;
            }
            let result = match receive.recv_timeout(limits::GLANCE) {
                Ok(result) => result,
                Err(RecvTimeoutError::Timeout) => {
                    // Somebody may wait for no more than one trace.
                    for found in task.facts.take_found() {
                        let kind = kinds[found.owner];
                        if judge(kind, &mut only(task, found), stats).open == 0 {
                            team.stop(Stop::Cancelled);
                            // It has nothing more to do, and tells what it did.
                            if let Ok(last) = receive.recv_timeout(limits::LAST_COUNTED) {
                                stats.add(&last.stats);
                            }
                            return;
                        }
                    }
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            };
            working.retain(|other| other.kind != result.kind);
            stats.add(&result.stats);
            let mut outcome = imported(task.terms, &result.terms, result.outcome);
            // If all of it is accepted, nobody needs what the others do meanwhile; nearly always it is.
            let held = outcome.undecided.is_empty().then(|| team.hold());
            let judged = judge(result.kind, &mut outcome, stats);
            drop(held);
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

/// How many engines have not used up their sprints.
fn sprinting(working: &[Working]) -> usize {
    let first = working.iter().filter(|other| other.rank == Rank::First);
    first.count()
}

/// Engines that keep all that they ever did: lemmas at every depth, unrollings, executions. What others keep depends on what
/// they found.
const KEEP_ALL: [EngineKind; 4] = [
    EngineKind::Horn,
    EngineKind::Execution,
    EngineKind::BitsBmc,
    EngineKind::KInduction,
];

/// Ends the work of an engine, for its memory: of one that keeps all if its sprint is over; else of the one that has used most time of
/// those that give way to others. Never of the only one. Tells whether there is one.
fn make_room(working: &[Working]) -> bool {
    let mut others: Vec<&Working> = working
        .iter()
        .filter(|other| other.control.check().is_ok())
        .collect();
    let place = |other: &&Working| {
        let keeps_all = other.rank > Rank::First && KEEP_ALL.contains(&other.kind);
        (keeps_all, other.rank, other.used())
    };
    others.sort_by_key(place);
    let last = others.pop().filter(|_| !others.is_empty());
    if let Some(last) = last {
        last.control.stop(Stop::Memory);
    }
    last.is_some()
}

/// An engine at work.
struct Working {
    kind: EngineKind,
    thread: Arc<Thread>,
    /// Of its part of the run.
    control: Control,
    since: Instant,
    sprint: Duration,
    budget: Duration,
    rank: Rank,
}

impl Working {
    /// Its processor time. Who waits for something uses little, and keeps others waiting nevertheless.
    fn used(&self) -> Duration {
        let elapsed = self.since.elapsed();
        self.thread.used().unwrap_or(elapsed).max(elapsed / WAITING)
    }

    /// Lets the engine give way once its sprint, and then once its budget is used up.
    fn tire(&mut self) {
        if self.rank == Rank::Last {
            return;
        }
        let used = self.used();
        let rank = match used {
            _ if used >= self.budget => Rank::Last,
            _ if used >= self.sprint => Rank::Second,
            _ => Rank::First,
        };
        // Where its thread has not begun yet, it is told next time.
        if rank > self.rank && self.thread.give_way(rank) {
            self.rank = rank;
        }
    }
}

/// The outcome of an engine that has found a trace and goes on: of all other errors it says no more than that, also of those that
/// the reduced graph does not have.
fn only(task: &Task<'_>, found: Found) -> Outcome {
    let reason = Reason::Incomplete("the engine goes on".into());
    let original = match found.is_original {
        true => Some(found.error),
        false => task.places.get(&found.error).copied(),
    };
    let mut undecided = all_undecided(task.original, &reason);
    undecided.retain(|error, _| Some(*error) != original);
    let runs = BTreeMap::from([(found.error, found.run)]);
    let (own, runs) = match found.is_original {
        true => (runs, BTreeMap::new()),
        false => (BTreeMap::new(), runs),
    };
    Outcome {
        runs,
        original: Claims {
            runs: own,
            undecided,
            ..Claims::default()
        },
        ..Outcome::default()
    }
}

/// The invariants of an outcome.
fn proved(outcome: &Outcome) -> Lemmas {
    let at = outcome.invariants.iter().flat_map(|claim| &claim.at);
    at.map(|(&location, &formula)| (location, vec![formula]))
        .collect()
}

/// An engine with what it needs on a thread of its own.
struct Worker {
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

impl Worker {
    /// The one with this number.
    fn new(
        number: usize,
        kind: EngineKind,
        task: &Task<'_>,
        common: &Common,
        control: Control,
    ) -> Worker {
        Worker {
            kind,
            common: common.clone(),
            terms: task.terms.clone(),
            graph: task.graph.clone(),
            original: (kind.reads_original() || task.original.has_premises())
                .then(|| (task.original.clone(), task.places.clone())),
            control,
            facts: task.facts.of(number),
        }
    }

    fn start(self, send: Sender<Finished>) -> std::io::Result<Arc<Thread>> {
        let thread = Arc::new(Thread::default());
        let own = thread.clone();
        std::thread::Builder::new()
            .name(self.kind.to_string())
            .stack_size(STACK)
            .spawn(move || {
                own.begin();
                // Nobody listens any more if everything was decided meanwhile.
                let _ = send.send(self.work());
            })?;
        Ok(thread)
    }

    fn work(self) -> Finished {
        let _at_work = self.control.meter().begins(self.kind.name());
        let mut stats = Statistics::default();
        let start = Instant::now();
        let mut task = Task::of_graph(&self.terms, &self.graph, &self.control, &self.facts);
        if let Some((original, places)) = &self.original {
            (task.original, task.places) = (original, places);
        }
        let outcome = guarded(|| Ok(self.kind.engine(&self.common).run(&task, &mut stats)))
            .unwrap_or_else(|reason| Outcome {
                undecided: all_undecided(&self.graph, &reason),
                ..Outcome::default()
            });
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
            graph
                .graph
                .add_edge(from, to, Edge::new(transition, origin));
        }
        graph
    }

    /// Who handed over outcomes, with how many invariants.
    fn results(members: Vec<Member>, stop_at_first: bool) -> (Vec<(EngineKind, usize)>, Duration) {
        let terms = Terms::new();
        let graph = counter(&terms);
        let control = Control::unlimited().within(Some(Duration::from_secs(20)));
        let facts = Facts::default();
        let task = Task::of_graph(&terms, &graph, &control, &facts);
        let mut heard = Vec::new();
        let mut stats = Statistics::default();
        let start = Instant::now();
        let plan = Plan {
            members,
            alone: Duration::from_millis(200),
            ..Plan::default()
        };
        plan.run(
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

    fn member(kind: EngineKind) -> Member {
        Member {
            kind,
            sprint: 1,
            budget: 2,
            why: "",
        }
    }

    #[test]
    fn who_worked_longest_ends_where_memory_is_short_and_one_stays() {
        let run = Control::unlimited();
        let worked = |kind, rank, seconds| Working {
            kind,
            thread: Arc::default(),
            control: run.branch(),
            since: Instant::now()
                .checked_sub(Duration::from_secs(seconds))
                .unwrap(),
            sprint: Duration::ZERO,
            budget: Duration::ZERO,
            rank,
        };
        let working = [
            worked(EngineKind::Slicing, Rank::First, 9),
            worked(EngineKind::Impact, Rank::Last, 7),
            worked(EngineKind::Predicate, Rank::Last, 5),
            worked(EngineKind::Horn, Rank::Second, 3),
        ];
        let at_work = || -> Vec<EngineKind> {
            let at_work = working.iter().filter(|w| w.control.check().is_ok());
            at_work.map(|w| w.kind).collect()
        };
        let (slicing, impact) = (EngineKind::Slicing, EngineKind::Impact);
        assert!(make_room(&working));
        assert_eq!(at_work(), [slicing, impact, EngineKind::Predicate]);
        assert!(make_room(&working));
        assert_eq!(at_work(), [slicing, EngineKind::Predicate]);
        assert!(make_room(&working));
        assert_eq!(at_work(), [slicing]);
        assert!(!make_room(&working));
        assert_eq!(at_work(), [slicing]);
    }

    #[test]
    fn one_that_never_ends_is_joined_and_cancelled() {
        let members = vec![
            // It only ever unrolls the loop once more.
            member(EngineKind::Bmc),
            member(EngineKind::Slicing),
        ];
        let (heard, time) = results(members, true);
        assert_eq!(heard.len(), 1);
        assert_eq!(heard[0].0, EngineKind::Slicing);
        assert!(heard[0].1 > 0);
        assert!(time < Duration::from_secs(10), "{time:?}");
    }

    #[test]
    fn who_begins_is_alone_at_first_and_all_are_heard() {
        let members = vec![
            member(EngineKind::Slicing),
            member(EngineKind::KInduction),
            member(EngineKind::Impact),
        ];
        let (all, _) = results(members.clone(), false);
        let kinds: Vec<EngineKind> = all.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds.len(), 3);
        assert_eq!(kinds[0], EngineKind::Slicing);
        let (first, _) = results(members, true);
        assert_eq!(first.len(), 1);
    }
}

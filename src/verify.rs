//! One program graph, from reduction to verdicts.
//!
//! [`verify_unit`] is the way through the house for a single graph: reduce it, let an engine find
//! evidence, take the evidence back to the graph as it was, and let the checker decide. Whoever
//! builds a program graph by hand calls it and nothing else.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::Instant;

use crate::check::{self, Checker, Claims, Verdict};
use crate::control::Control;
use crate::engine::horn::HornClauses;
use crate::engine::slicing::SlicingAbstraction;
use crate::engine::{Engine, Outcome};
use crate::formula::Terms;
use crate::graph::{LocationId, ProgramGraph};
use crate::interpolate::Strategy;
use crate::invariants::Auxiliary;
use crate::reason::Reason;
use crate::reduce::{ReduceOptions, Reduced, reduce};
use crate::stats::Statistics;

/// The independent choices: block encoding, engine, interpolation, and how the checker works.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Which reductions come first.
    pub reduce: ReduceOptions,
    /// The algorithm.
    pub engine: EngineKind,
    /// How interpolants are computed.
    pub interpolation: Strategy,
    /// Which auxiliary invariants the engine starts with.
    pub auxiliary: Auxiliary,
    /// How the checker works.
    pub check: check::Options,
}

/// The engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineKind {
    /// Slicing abstraction with path formulas.
    #[default]
    Slicing,
    /// The whole graph as Horn clauses.
    Horn,
}

impl Settings {
    fn engine(&self) -> Box<dyn Engine> {
        match self.engine {
            EngineKind::Slicing => Box::new(SlicingAbstraction {
                interpolation: self.interpolation.clone(),
                auxiliary: self.auxiliary,
            }),
            EngineKind::Horn => Box::new(HornClauses {
                auxiliary: self.auxiliary,
                ..HornClauses::default()
            }),
        }
    }
}

/// A verdict for every error location of the graph. A graph without any needs no engine, and gets
/// no verdict.
///
/// Never panics: a panic on the way is [`Reason::Internal`] for what it kept from being decided.
pub fn verify_unit(
    terms: &Terms,
    graph: &ProgramGraph,
    settings: &Settings,
    control: &Control,
    stats: &mut Statistics,
) -> BTreeMap<LocationId, Verdict> {
    let mut checker = Checker::new(terms, graph, control, &settings.check);
    verify_by(&mut checker, terms, graph, settings, control, stats)
}

/// As [`verify_unit`], with the checker to use: one of the same graph, made with the same settings
/// and the same control.
pub(crate) fn verify_by(
    checker: &mut Checker<'_>,
    terms: &Terms,
    graph: &ProgramGraph,
    settings: &Settings,
    control: &Control,
    stats: &mut Statistics,
) -> BTreeMap<LocationId, Verdict> {
    stats.locations += graph.graph.node_count() as u64;
    stats.edges += graph.graph.edge_count() as u64;
    if graph.errors().next().is_none() {
        return BTreeMap::new();
    }
    let claims = guarded(|| Ok(claims(terms, graph, settings, control, stats)))
        .unwrap_or_else(|reason| all_undecided(graph, &reason));
    guarded(|| Ok(checker.decide(&claims, stats))).unwrap_or_else(|reason| {
        graph
            .errors()
            .map(|error| (error, Verdict::Unknown(reason.clone())))
            .collect()
    })
}

/// What the engine claims about the reduced graph, said about the graph itself.
fn claims(
    terms: &Terms,
    graph: &ProgramGraph,
    settings: &Settings,
    control: &Control,
    stats: &mut Statistics,
) -> Claims {
    if let Err(stop) = control.check() {
        return all_undecided(graph, &stop.into());
    }
    let start = Instant::now();
    let reduced = reduce(terms, graph, &settings.reduce);
    stats.reduce_time += start.elapsed();
    stats.reduced_locations += reduced.graph.graph.node_count() as u64;
    stats.reduced_edges += reduced.graph.graph.edge_count() as u64;
    let start = Instant::now();
    let outcome = settings
        .engine()
        .run(terms, &reduced.graph, &control.with_reserve(), stats);
    stats.engine_time += start.elapsed();
    taken_back(terms, &reduced, &outcome)
}

fn taken_back(terms: &Terms, reduced: &Reduced, outcome: &Outcome) -> Claims {
    let back = &reduced.back;
    let mut claims = Claims {
        invariants: outcome
            .invariants
            .as_ref()
            .map(|invariants| back.invariants(terms, invariants)),
        ..Claims::default()
    };
    for (&location, reason) in &outcome.undecided {
        claims
            .undecided
            .insert(back.location(location), reason.clone());
    }
    for (&location, run) in &outcome.runs {
        let location = back.location(location);
        match back.run(terms, run) {
            Ok(run) => {
                claims.runs.insert(location, run);
            }
            Err(why) => {
                claims.undecided.insert(location, Reason::RunRejected(why));
            }
        }
    }
    claims
}

fn all_undecided(graph: &ProgramGraph, reason: &Reason) -> Claims {
    Claims {
        undecided: graph
            .errors()
            .map(|error| (error, reason.clone()))
            .collect(),
        ..Claims::default()
    }
}

thread_local! {
    /// Where the last caught panic of this thread happened.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs the work; a panic becomes [`Reason::Internal`] with its text and place.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Reason>) -> Result<T, Reason> {
    // What a panic leaves half-done stays behind: the caller drops it or asks the checker, which
    // believes nothing.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let place = PLACE.with(RefCell::take);
        let text = message(&*panic);
        Err(Reason::Internal(match place {
            Some(place) => format!("{text} ({place})"),
            None => text,
        }))
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".into())
}

/// From now on panics print nothing: their text and place become part of the reason. For programs
/// whose output is read by other programs; call it once at the start.
pub fn keep_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let place = info
                .location()
                .map(|l| format!("{}:{}", l.file(), l.line()));
            PLACE.with(|slot| *slot.borrow_mut() = place);
            if std::env::var_os("RUST_BACKTRACE").is_some() {
                loud(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_reason() {
        let result: Result<(), Reason> = guarded(|| panic!("oh {}", "no"));
        let Err(Reason::Internal(text)) = result else {
            panic!("no reason");
        };
        assert!(text.starts_with("oh no"), "{text}");
    }

    #[test]
    fn a_graph_without_error_locations_needs_no_engine() {
        let terms = Terms::new();
        let graph = ProgramGraph::new("empty");
        let mut stats = Statistics::default();
        let control = Control::unlimited();
        let verdicts = verify_unit(&terms, &graph, &Settings::default(), &control, &mut stats);
        assert!(verdicts.is_empty());
        assert_eq!(stats.solver_calls, 0);
    }
}

//! What a refining engine did, step by step, for those who want to see how it thinks.
//!
//! Slicing abstraction, IMPACT and predicate abstraction all refine a graph of *abstract states*: a
//! location and a formula each. A [`Record`] says how that graph changes and why, in the words of
//! the papers: error path, interpolants, split, slice; expand, cover, force_cover, strengthen;
//! predicates. Whoever replays the steps in order has the graph at any time.
//!
//! Nothing is recorded unless somebody asked for it ([`Common::record`](crate::Common)): else a
//! [`Recorder`] keeps nothing and the steps are never made. Formulas are kept as terms, which costs
//! nothing, since the engine keeps them anyway; whoever shows them prints them.
//!
//! Who wants to see the steps while they are made is a [`Watcher`].

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use ult_core::formula::{Term, Terms};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};
use ult_core::reason::Reason;

/// So many steps are kept of one search.
pub const MOST_STEPS: usize = 600;

/// An abstract state. The number stays the same as long as the state exists.
#[derive(Clone, Debug)]
pub struct AbstractState {
    /// Its number in the record.
    pub number: u32,
    /// Its location.
    pub location: LocationId,
    /// What holds there.
    pub formula: Term,
}

/// An edge between abstract states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbstractEdge {
    /// Its number in the record. Numbers of edges that are gone may be used again.
    pub number: u32,
    /// The number of the abstract state before.
    pub from: u32,
    /// The number of the abstract state after.
    pub to: u32,
    /// The edge of the program graph.
    pub block: EdgeId,
}

/// Why something went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A solver says that no step leads along the edge.
    NoStep,
    /// The interpolants before and after the edge exclude each other.
    Interpolants,
    /// The formula of the abstract state has no model.
    Contradiction,
    /// It is made again, with more predicates.
    MadeAgain,
    /// Nothing more is to be found out about its error location.
    Closed,
    /// An ancestor is covered meanwhile.
    Covered,
}

/// A step.
#[derive(Clone, Debug)]
pub enum Step {
    /// The abstraction at the beginning. What there was before is gone.
    Begin {
        /// All abstract states; the first one is the initial one.
        states: Vec<AbstractState>,
        /// The edges between them.
        edges: Vec<AbstractEdge>,
    },
    /// A path of abstract states to an error location.
    Path {
        /// The states, from the initial one to the error.
        states: Vec<u32>,
        /// The edges of the program graph between them.
        blocks: Vec<EdgeId>,
    },
    /// The path is a run of the program graph.
    Run {
        /// The error location that it reaches.
        error: LocationId,
    },
    /// The error location is given up.
    GiveUp {
        /// The error location.
        error: LocationId,
        /// Why.
        reason: Reason,
    },
    /// The path is infeasible: why, position by position.
    Interpolants {
        /// For each inner state of the path, the interpolant.
        at: Vec<(u32, Term)>,
    },
    /// `Split`: a state is divided by an interpolant.
    Split {
        /// The state; it keeps the half where the interpolant holds.
        state: u32,
        /// The interpolant.
        by: Term,
        /// The formula of the state now.
        formula: Term,
        /// The other half.
        other: AbstractState,
        /// The copies of edges at the other half.
        edges: Vec<AbstractEdge>,
    },
    /// `Slice`: edges go.
    Slice {
        /// Their numbers.
        edges: Vec<u32>,
        /// Why.
        why: Why,
    },
    /// `expand`: the successors of a state.
    Expand {
        /// The state.
        state: u32,
        /// Its new successors, each with the edge to it. None, if no step leads anywhere.
        children: Vec<(AbstractState, AbstractEdge)>,
    },
    /// `cover`: what a state says implies what an older one says.
    Cover {
        /// The covered state.
        state: u32,
        /// The older one.
        by: u32,
    },
    /// `force_cover`: a path between two states is to be strengthened so that one covers the
    /// other.
    ForceCover {
        /// The state to be covered.
        state: u32,
        /// By which one.
        by: u32,
        /// Their nearest common ancestor, where the path begins.
        from: u32,
    },
    /// A covering does not hold any more.
    Uncover {
        /// The state that was covered.
        state: u32,
    },
    /// A state says more than before.
    Strengthen {
        /// The state.
        state: u32,
        /// What is added.
        by: Term,
        /// Its formula now.
        formula: Term,
    },
    /// Predicates from interpolants.
    Predicates {
        /// Those that are new, with the state where they were found.
        found: Vec<(u32, Term)>,
    },
    /// A state goes, with all that hangs from it.
    Remove {
        /// The state.
        state: u32,
        /// Why.
        why: Why,
    },
    /// The graph gets a second look with its loops split into phases; a record of its own tells
    /// about it if that decided everything.
    SecondLook {
        /// Whether that decided everything.
        decided: bool,
    },
    /// No error path is left.
    Finished,
    /// The search was stopped.
    Stopped {
        /// Why.
        reason: Reason,
    },
}

/// A graph whose loops were split into phases.
#[derive(Clone, Debug)]
pub struct SplitGraph {
    /// The graph.
    pub graph: ProgramGraph,
    /// The location that a location is a part of.
    pub locations: BTreeMap<LocationId, LocationId>,
    /// The edge that an edge is a part of.
    pub edges: BTreeMap<EdgeId, EdgeId>,
}

/// All that was recorded of one search.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The graph that was searched, if it is not the one of the task but one with split loops.
    pub phases: Option<SplitGraph>,
    /// The steps.
    pub steps: Vec<Step>,
    /// How many more steps there were that were not kept.
    pub left_out: u64,
}

impl Record {
    /// The record with its formulas in another store.
    pub fn imported(mut self, terms: &Terms, from: &Terms) -> Record {
        let mut all: Vec<&mut Term> = self.steps.iter_mut().flat_map(Step::formulas).collect();
        if let Some(phases) = &mut self.phases {
            let edges = phases.graph.graph.edge_weights_mut();
            all.extend(edges.map(|edge| &mut edge.transition.formula));
        }
        let theirs: Vec<Term> = all.iter().map(|term| **term).collect();
        for (term, own) in all.into_iter().zip(terms.import_all(from, &theirs)) {
            *term = own;
        }
        self
    }
}

impl Step {
    fn formulas(&mut self) -> Vec<&mut Term> {
        match self {
            Step::Begin { states, .. } => states.iter_mut().map(|s| &mut s.formula).collect(),
            Step::Interpolants { at: terms } | Step::Predicates { found: terms } => {
                terms.iter_mut().map(|(_, term)| term).collect()
            }
            Step::Split {
                by, formula, other, ..
            } => vec![by, formula, &mut other.formula],
            Step::Expand { children, .. } => {
                children.iter_mut().map(|(s, _)| &mut s.formula).collect()
            }
            Step::Strengthen { by, formula, .. } => vec![by, formula],
            Step::Path { .. }
            | Step::Run { .. }
            | Step::GiveUp { .. }
            | Step::Slice { .. }
            | Step::Cover { .. }
            | Step::ForceCover { .. }
            | Step::Uncover { .. }
            | Step::Remove { .. }
            | Step::SecondLook { .. }
            | Step::Finished
            | Step::Stopped { .. } => Vec::new(),
        }
    }
}

/// What the steps of a search are about.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The store of the terms.
    pub terms: &'a Terms,
    /// The graph that is searched.
    pub graph: &'a ProgramGraph,
    /// Which locations of the graph before the reductions its locations stand for.
    pub places: &'a BTreeMap<LocationId, LocationId>,
}

/// Somebody who watches a search while it goes on.
pub trait Watcher: fmt::Debug + Send + Sync {
    /// Is told of each step, in order. The search waits meanwhile.
    fn step(&self, scene: Scene<'_>, step: &Step);
}

/// Keeps steps, and tells them, if somebody wants them.
#[derive(Default)]
pub struct Recorder<'a> {
    kept: Option<Record>,
    watched: Option<(Arc<dyn Watcher>, Scene<'a>)>,
}

impl<'a> Recorder<'a> {
    /// One that keeps steps or not, and tells them to the watcher, if there is one.
    pub fn new(wanted: bool, watcher: Option<&Arc<dyn Watcher>>, scene: Scene<'a>) -> Recorder<'a> {
        Recorder {
            kept: wanted.then(Record::default),
            watched: watcher.map(|watcher| (watcher.clone(), scene)),
        }
    }

    /// Whether somebody wants to know.
    pub fn is_on(&self) -> bool {
        self.kept.is_some() || self.watched.is_some()
    }

    /// Tells and keeps a step. Nothing is called if nobody wants to know, or if there are too many already.
    pub fn note(&mut self, step: impl FnOnce() -> Step) {
        let is_full = |record: &Record| record.steps.len() >= MOST_STEPS;
        if let Some(record) = self.kept.as_mut().filter(|record| is_full(record)) {
            record.left_out += 1;
            if self.watched.is_none() {
                return;
            }
        } else if !self.is_on() {
            return;
        }
        let step = step();
        if let Some((watcher, scene)) = &self.watched {
            watcher.step(*scene, &step);
        }
        if let Some(record) = self.kept.as_mut().filter(|record| !is_full(record)) {
            record.steps.push(step);
        }
    }

    /// What was kept.
    pub fn finish(self) -> Vec<Record> {
        self.kept.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_only_made_for_those_who_want_them() {
        let mut recorder = Recorder::default();
        recorder.note(|| panic!("nobody listens"));
        assert!(recorder.finish().is_empty());
    }

    #[test]
    fn what_is_too_much_is_counted() {
        let mut recorder = keeping(None);
        for state in 0..MOST_STEPS as u32 + 7 {
            recorder.note(|| Step::Uncover { state });
        }
        let records = recorder.finish();
        assert_eq!(records[0].steps.len(), MOST_STEPS);
        assert_eq!(records[0].left_out, 7);
    }

    /// A recorder that keeps steps.
    fn keeping(watcher: Option<&Arc<dyn Watcher>>) -> Recorder<'static> {
        let scene = Scene {
            terms: Box::leak(Box::new(Terms::new())),
            graph: Box::leak(Box::new(ProgramGraph::new("empty"))),
            places: Box::leak(Box::default()),
        };
        Recorder::new(true, watcher, scene)
    }

    #[derive(Debug, Default)]
    struct Counter(std::sync::atomic::AtomicUsize);

    impl Watcher for Counter {
        fn step(&self, _: Scene<'_>, _: &Step) {
            self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        }
    }

    #[test]
    fn a_watcher_hears_of_what_is_not_kept() {
        let counter = Arc::new(Counter::default());
        let watcher: Arc<dyn Watcher> = counter.clone();
        let mut recorder = keeping(Some(&watcher));
        for state in 0..MOST_STEPS as u32 + 7 {
            recorder.note(|| Step::Uncover { state });
        }
        let told = counter.0.load(std::sync::atomic::Ordering::SeqCst);
        assert_eq!(told, MOST_STEPS + 7);
        assert_eq!(recorder.finish()[0].left_out, 7);
    }

    #[test]
    fn formulas_are_imported() {
        let (ours, theirs) = (Terms::new(), Terms::new());
        ours.int(3);
        let x = theirs.current("x", ult_core::formula::Sort::Int);
        let by = theirs.lt(x, theirs.int(5));
        let record = Record {
            steps: vec![Step::Predicates {
                found: vec![(0, by)],
            }],
            ..Record::default()
        };
        let text = theirs.display(by);
        let imported = record.imported(&ours, &theirs);
        let Step::Predicates { found } = &imported.steps[0] else {
            panic!("{imported:?}");
        };
        assert_eq!(ours.display(found[0].1), text);
    }
}

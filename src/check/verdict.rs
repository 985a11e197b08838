//! Verdicts.
//!
//! The payloads of [`Verdict::Safe`] and [`Verdict::Unsafe`] have private fields, and their
//! constructors are visible in `crate` only. So a verdict other than UNKNOWN that exists
//! anywhere in the program was made by the checker.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ult_core::formula::Term;
use ult_core::graph::evidence::{Argument, Invariants, Run};
use ult_core::graph::{LocationId, ProgramGraph};
use ult_core::reason::Reason;

/// What is known about one error location of the unreduced graph.
///
/// Nobody but the checker can make the first two: their contents have no public constructor (`tests/forgery.rs` asks the
/// compiler).
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No run reaches it: the proof was confirmed.
    Safe(Proof),
    /// A run reaches it: the run was re-executed.
    Unsafe(Violation),
    /// Neither was confirmed, and why.
    Unknown(Reason),
}

/// Confirmed invariants of the unreduced graph. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Proof {
    content: Arc<ProofContent>,
}

#[derive(Debug)]
struct ProofContent {
    invariants: BTreeMap<LocationId, Term>,
    excluded: BTreeSet<LocationId>,
    arguments: BTreeMap<LocationId, Argument>,
    provers: Vec<String>,
}

/// A confirmed run from the initial location to an error location. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Violation {
    location: LocationId,
    run: Arc<Run>,
}

impl Verdict {
    /// Whether the location was proved unreachable.
    pub fn is_safe(&self) -> bool {
        matches!(self, Verdict::Safe(_))
    }

    /// Whether a run into the location was confirmed.
    pub fn is_unsafe(&self) -> bool {
        matches!(self, Verdict::Unsafe(_))
    }

    /// Why nothing is known, if so.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Verdict::Unknown(reason) => Some(reason),
            Verdict::Safe(_) | Verdict::Unsafe(_) => None,
        }
    }
}

impl Proof {
    /// To be called by the checker after every verification condition was refuted.
    pub(crate) fn new(
        invariants: BTreeMap<LocationId, Term>,
        excluded: BTreeSet<LocationId>,
        arguments: BTreeMap<LocationId, Argument>,
        provers: Vec<String>,
    ) -> Proof {
        Proof {
            content: Arc::new(ProofContent {
                invariants,
                excluded,
                arguments,
                provers,
            }),
        }
    }

    /// Whether both are clones of one proof.
    pub(crate) fn is_same(&self, other: &Proof) -> bool {
        Arc::ptr_eq(&self.content, &other.content)
    }

    /// The invariants: state formulas that hold whenever a run is at the location. Together they
    /// are inductive, and their locations cut every cycle that is not cut by the initial
    /// location. They need not exclude every excluded error location by themselves: it may take
    /// several segments in a row ([`Argument`](ult_core::graph::evidence::Argument)).
    pub fn invariants(&self) -> &BTreeMap<LocationId, Term> {
        &self.content.invariants
    }

    /// The error locations that no run reaches.
    pub fn excluded(&self) -> &BTreeSet<LocationId> {
        &self.content.excluded
    }

    /// How proofs exclude the error locations that their invariants alone do not exclude. Many may be clones of one.
    pub fn all_arguments<'p>(proofs: impl IntoIterator<Item = &'p Proof>) -> BTreeSet<Argument> {
        let mut seen = BTreeSet::new();
        let new = (proofs.into_iter()).filter(|proof| seen.insert(Arc::as_ptr(&proof.content)));
        new.flat_map(Proof::arguments)
            .map(|(_, argument)| argument)
            .collect()
    }

    /// Whether an error location is excluded because all traces were followed.
    pub(crate) fn is_explored(&self, error: LocationId) -> bool {
        self.content.arguments.get(&error) == Some(&Argument::Explored)
    }

    /// How it excludes the error locations that the invariants alone do not exclude.
    fn arguments(&self) -> impl Iterator<Item = (LocationId, Argument)> {
        let excluded = &self.content.excluded;
        let arguments = self.content.arguments.iter();
        arguments
            .filter(|(error, _)| excluded.contains(error))
            .map(|(&error, &argument)| (error, argument))
    }

    /// The claim that was confirmed, about the graph that the proof is about: for those who keep it, to have it confirmed
    /// again.
    pub fn claim(&self, graph: &ProgramGraph) -> Invariants {
        let excluded = &self.content.excluded;
        Invariants {
            at: self.content.invariants.clone(),
            exempt: graph.errors().filter(|e| !excluded.contains(e)).collect(),
            arguments: self.arguments().collect(),
        }
    }

    /// The names of the solvers that confirmed it, each of them all of it.
    pub fn provers(&self) -> &[String] {
        &self.content.provers
    }
}

impl Violation {
    /// To be called by the checker after every step was re-executed.
    pub(crate) fn new(location: LocationId, run: Run) -> Violation {
        Violation {
            location,
            run: Arc::new(run),
        }
    }

    /// The error location that the run ends in.
    pub fn location(&self) -> LocationId {
        self.location
    }

    /// The run.
    pub fn run(&self) -> &Run {
        &self.run
    }
}

//! Bounded model checking: the circuit unrolled from the start, one step after the other.
//!
//! Biere, Cimatti, Clarke, Zhu: "Symbolic Model Checking without BDDs" (TACAS 1999). The steps are
//! composed as circuits, so that constants and what is the same in several steps disappear before
//! the solver sees it; the solver keeps what it has learnt from depth to depth (Eén, Sörensson:
//! "Temporal Induction by Incremental SAT Solving", 2003). The *forward condition*: if all runs have
//! halted, nothing is reached later.
//!
//! A search may also go from both ends, or ask after 1, 2, 4, ... steps (Gocht, Balyo: "Accelerating SAT
//! based planning with incremental SAT solving", ICAPS 2017).

mod unrolling;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::rc::Rc;

pub use self::unrolling::{Asked, Unrolling};
use crate::hints::Hints;
use crate::sat::{Answer, Choice, Counts};
use crate::system::{System, copies};
use ult_core::control::Control;
use ult_core::graph::evidence::Run;
use ult_core::graph::{LocationId, ProgramGraph};

/// In which order runs of different lengths are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// One step more from the start each time.
    #[default]
    EachDepth,
    /// As many steps more as there are: runs are not the shortest ones.
    Exponential,
    /// One step more each time, from the start and before the end in turns.
    BothEnds,
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The solver.
    pub solver: Choice,
    /// In which order.
    pub schedule: Schedule,
    /// Whether locations that no path of so many steps leads to are left out of the step.
    pub pruned: bool,
    /// How many steps runs may have that are looked for, if not any number.
    pub most: Option<NonZeroU32>,
    /// What else the solver is told.
    pub hints: Hints,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            solver: Choice::default(),
            schedule: Schedule::default(),
            pruned: true,
            most: None,
            hints: Hints::default(),
        }
    }
}

/// What the search has found.
#[derive(Debug, Default)]
pub struct Found {
    /// Runs into error locations.
    pub runs: BTreeMap<LocationId, Run>,
    /// Error locations that the circuit reaches, which allows more than the program; and why.
    pub opaque: BTreeMap<LocationId, Rc<str>>,
    /// Error locations that are neither reached nor copies of those.
    pub open: BTreeSet<LocationId>,
    /// In how many steps they are known not to be reached.
    pub depth: usize,
    /// Whether they are not reached in more steps either.
    pub is_over: bool,
}

/// Unrolls until everything is decided, or `control` says stop. `told` hears of every depth.
pub fn search(
    system: &System,
    graph: &ProgramGraph,
    settings: &Settings,
    control: &Control,
    mut told: impl FnMut(usize, Counts),
) -> Found {
    let mut unrolling = Unrolling::new(system, graph, settings, control);
    let mut found = Found {
        open: system.bads.iter().map(|bad| bad.error).collect(),
        ..Found::default()
    };
    let most = settings.most.map_or(usize::MAX, |most| most.get() as usize);
    while control.check().is_ok() && !unrolling.is_too_large() && unrolling.depth() < most {
        match settings.schedule {
            Schedule::EachDepth => unrolling.extend(),
            Schedule::BothEnds => unrolling.extend_either(),
            Schedule::Exponential => {
                let depth = unrolling.depth();
                for _ in 0..depth.clamp(1, most - depth) {
                    if control.check().is_err() || unrolling.is_too_large() {
                        break;
                    }
                    unrolling.extend();
                }
            }
        }
        loop {
            match unrolling.ask(&found.open) {
                Asked::NotReached => break,
                Asked::Stopped => return found,
                Asked::Reached(error, run) => {
                    let copies = copies(graph, error);
                    found.open.retain(|error| !copies.contains(error));
                    found.runs.insert(error, *run);
                }
                Asked::Opaque(error, why) => {
                    found.open.remove(&error);
                    found.opaque.insert(error, why);
                }
            }
        }
        found.depth = unrolling.depth();
        told(found.depth, unrolling.counts());
        if found.open.is_empty() || unrolling.is_over() == Answer::Unsat {
            found.is_over = true;
            break;
        }
    }
    found
}

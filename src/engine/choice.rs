//! Which engines there are, and how they are named.

use std::fmt;
use std::str::FromStr;

use crate::arrays::Arrays;
use crate::bits::{BitsBmc, Ic3};
use crate::bounded::{Bmc, KInduction};
use crate::circuit;
use crate::deductive::Deductive;
use crate::execute::Execution;
use crate::explicit::ExplicitValues;
use crate::heap::Heap;
use crate::horn::HornClauses;
use crate::intervals::Intervals;
use crate::invariants::Auxiliary;
use crate::observers::Observers;
use crate::phases::SecondLook;
use crate::polyhedra::Polyhedra;
use crate::polynomials::Polynomials;
use crate::reach;
use crate::slicing::SlicingAbstraction;
use crate::task::Engine;
use ult_interpolate::Strategy;

/// An engine; as text, a value of `--engine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineKind {
    /// Slicing abstraction with path formulas.
    Slicing,
    /// IMPACT.
    Impact,
    /// Predicate abstraction.
    Predicate,
    /// Bounded model checking.
    Bmc,
    /// k-induction.
    KInduction,
    /// The whole graph as Horn clauses.
    Horn,
    /// Invariants over all cells of arrays.
    Arrays,
    /// Invariants over all objects of a heap.
    Heap,
    /// Polynomial equalities guessed from runs.
    Polynomials,
    /// Execution on concrete values.
    Execution,
    /// Abstract interpretation with intervals.
    Intervals,
    /// Abstract interpretation with convex polyhedra.
    Polyhedra,
    /// Explicit values.
    Explicit,
    /// One verification condition, by what the graph says of its loops.
    Deductive,
    /// Bounded model checking with a SAT solver.
    BitsBmc,
    /// IC3.
    Ic3,
}

/// What all engines have to be told.
#[derive(Clone, Debug, Default)]
pub struct Common {
    /// How interpolants are computed.
    pub interpolation: Strategy,
    /// What is assumed at every location before the search begins.
    pub auxiliary: Auxiliary,
    /// Choices about the reachability core, in the order in which they are made.
    pub choices: Vec<reach::Part>,
    /// Choices about circuits, in the order in which they are made.
    pub circuit: Vec<circuit::Part>,
    /// Whether to record how the abstraction is refined, see [`record`](crate::record).
    pub record: bool,
    /// Who watches engines that refine, and who may explain paths in their place.
    pub observers: Observers,
}

impl Common {
    /// Settings of the reachability core, with this.
    fn told_to(&self, settings: reach::Settings) -> reach::Settings {
        let mut settings = reach::Settings {
            interpolation: self.interpolation.clone(),
            auxiliary: self.auxiliary,
            record: self.record,
            observers: self.observers.clone(),
            ..settings
        };
        for part in &self.choices {
            part.apply(&mut settings);
        }
        settings
    }
}

impl EngineKind {
    /// Whether it proves by an analysis of all states at once, and searches neither for paths nor for
    /// abstractions.
    pub fn is_analysis(self) -> bool {
        matches!(
            self,
            EngineKind::Intervals
                | EngineKind::Polyhedra
                | EngineKind::Polynomials
                | EngineKind::Arrays
                | EngineKind::Heap
                | EngineKind::Deductive
        )
    }

    /// All engines, each with a line for people.
    pub const ALL: &[(EngineKind, &str)] = &[
        (
            EngineKind::Slicing,
            "slicing abstraction: splits locations by interpolants, removes infeasible edges",
        ),
        (
            EngineKind::Impact,
            "IMPACT: a tree of formulas, strengthened by interpolants, with forced covering",
        ),
        (
            EngineKind::Predicate,
            "predicate abstraction: a tree of Boolean combinations of predicates",
        ),
        (
            EngineKind::Bmc,
            "bounded model checking: unrolls deeper and deeper, proves what has only short traces",
        ),
        (
            EngineKind::KInduction,
            "k-induction: bounded model checking, and steps strengthened by generated invariants",
        ),
        (
            EngineKind::Horn,
            "Horn clauses: the whole graph as one question to Spacer, for all errors or for each",
        ),
        (
            EngineKind::Arrays,
            "arrays: quantified array invariants: what holds of all cells between two bounds, by Houdini",
        ),
        (
            EngineKind::Heap,
            "heap: invariants about all objects: disjunctions guessed from executions, by Houdini",
        ),
        (
            EngineKind::Polynomials,
            "polynomials: equalities between products of variables, guessed from executions, by Houdini",
        ),
        (
            EngineKind::Execution,
            "execution: follows the program on chosen and random values, proves what needs no input",
        ),
        (
            EngineKind::Intervals,
            "intervals: abstract interpretation of the program in small steps, finds no violations",
        ),
        (
            EngineKind::Polyhedra,
            "polyhedra: abstract interpretation with linear inequalities between variables, finds no violations",
        ),
        (
            EngineKind::Explicit,
            "explicit values: explores states one by one, unknown values as symbols",
        ),
        (
            EngineKind::Deductive,
            "deductive: one verification condition, by the invariants that are written down, finds no violations",
        ),
        (
            EngineKind::BitsBmc,
            "bounded model checking of bits: unrolls the program as a circuit, for a SAT solver",
        ),
        (
            EngineKind::Ic3,
            "IC3: clauses over single bits of the program as a circuit, found by induction",
        ),
    ];

    /// Whether it looks at the graph as it was before the reductions.
    pub(crate) fn reads_original(self) -> bool {
        match self {
            EngineKind::Execution
            | EngineKind::Explicit
            | EngineKind::Deductive
            | EngineKind::BitsBmc
            | EngineKind::Ic3
            | EngineKind::Intervals
            | EngineKind::Polyhedra
            | EngineKind::Arrays
            | EngineKind::Heap
            | EngineKind::Polynomials => true,
            EngineKind::Slicing
            | EngineKind::Impact
            | EngineKind::Predicate
            | EngineKind::Bmc
            | EngineKind::KInduction
            | EngineKind::Horn => false,
        }
    }

    /// Whether it looks at the graph as the reductions leave it.
    pub(crate) fn reads_reduced(self) -> bool {
        !matches!(self, EngineKind::BitsBmc | EngineKind::Ic3)
    }

    /// The name, as in `--engine NAME`.
    pub fn name(self) -> &'static str {
        match self {
            EngineKind::Slicing => "slicing",
            EngineKind::Impact => "impact",
            EngineKind::Predicate => "predicate",
            EngineKind::Bmc => "bmc",
            EngineKind::KInduction => "kinduction",
            EngineKind::Horn => "horn",
            EngineKind::Arrays => "arrays",
            EngineKind::Heap => "heap",
            EngineKind::Polynomials => "polynomials",
            EngineKind::Execution => "execution",
            EngineKind::Intervals => "intervals",
            EngineKind::Polyhedra => "polyhedra",
            EngineKind::Explicit => "explicit",
            EngineKind::Deductive => "deductive",
            EngineKind::BitsBmc => "bits-bmc",
            EngineKind::Ic3 => "ic3",
        }
    }

    /// The engine itself.
    pub fn engine(self, common: &Common) -> Box<dyn Engine> {
        match self {
            EngineKind::Slicing => Box::new(SecondLook(SlicingAbstraction {
                interpolation: common.interpolation.clone(),
                auxiliary: common.auxiliary,
                record: common.record,
                observers: common.observers.clone(),
            })),
            EngineKind::Impact => Box::new(SecondLook(common.told_to(reach::Settings::impact()))),
            EngineKind::Predicate => {
                let settings = reach::Settings::predicate_abstraction();
                Box::new(SecondLook(common.told_to(settings)))
            }
            EngineKind::Bmc => Box::new(Bmc),
            EngineKind::KInduction => Box::new(KInduction {
                auxiliary: common.auxiliary,
            }),
            EngineKind::Horn => Box::new(HornClauses {
                auxiliary: common.auxiliary,
            }),
            EngineKind::Arrays => Box::new(Arrays {
                auxiliary: common.auxiliary,
            }),
            EngineKind::Heap => Box::new(Heap {
                auxiliary: common.auxiliary,
            }),
            EngineKind::Polynomials => Box::new(Polynomials {
                auxiliary: common.auxiliary,
            }),
            EngineKind::Execution => Box::new(Execution),
            EngineKind::Intervals => Box::new(Intervals),
            EngineKind::Polyhedra => Box::new(Polyhedra),
            EngineKind::Explicit => Box::new(ExplicitValues),
            EngineKind::Deductive => Box::new(Deductive),
            EngineKind::BitsBmc => Box::new(BitsBmc {
                circuit: common.circuit.clone(),
            }),
            EngineKind::Ic3 => Box::new(Ic3 {
                circuit: common.circuit.clone(),
            }),
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EngineKind {
    type Err = String;

    fn from_str(text: &str) -> Result<EngineKind, String> {
        // The name of version 0.1, for one more version.
        let text = if text == "run" { "execution" } else { text };
        EngineKind::ALL
            .iter()
            .map(|&(kind, _)| kind)
            .find(|kind| kind.name() == text)
            .ok_or_else(|| format!("there is no engine `{text}`; `ult engines` lists them"))
    }
}

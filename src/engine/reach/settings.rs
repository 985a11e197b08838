//! The parts of the reachability core, and how they combine.
//!
//! Thesis, Table 5.1: predicate abstraction and IMPACT are two columns of choices about one
//! algorithm. Each choice is a type here; a combination that means nothing cannot be written
//! down, since abstraction and precision exist only where a refinement finds predicates.

use crate::invariants::Auxiliary;
use crate::observers::Observers;
use ult_interpolate::Strategy;

/// All choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What a refuted error path changes.
    pub refinement: Refinement,
    /// How the state of a node is represented, and with it how covering is decided.
    pub state: StateForm,
    /// What is tried before a node is expanded.
    pub forced_covering: ForcedCovering,
    /// Which node is expanded next.
    pub order: Order,
    /// How interpolants are computed.
    pub interpolation: Strategy,
    /// What is assumed at every location before the first path is looked at.
    pub auxiliary: Auxiliary,
    /// Whether to record the steps, see [`record`](crate::record).
    pub record: bool,
    /// Who watches the search, and who may explain paths in its place.
    pub observers: Observers,
}

impl Settings {
    /// Predicate abstraction (thesis, section 5.2.3): abstract states are Boolean combinations of
    /// predicates, found by refinement. Boolean, BDDs, predicates of a location, lazy.
    pub fn predicate_abstraction() -> Settings {
        Settings {
            refinement: Refinement::Predicate(Abstracting::default(), Restart::Lazy),
            state: StateForm::Bdd,
            forced_covering: ForcedCovering::Off,
            order: Order::BreadthFirst,
            interpolation: Strategy::default(),
            auxiliary: Auxiliary::default(),
            record: false,
            observers: Observers::default(),
        }
    }

    /// IMPACT (McMillan, "Lazy abstraction with interpolants", CAV 2006; thesis, section 5.2.4):
    /// abstract states are strengthened by interpolants directly. Formulas, strengthened in place,
    /// forced covering.
    pub fn impact() -> Settings {
        Settings {
            refinement: Refinement::Impact,
            state: StateForm::Formula,
            forced_covering: ForcedCovering::NearestCommonAncestor,
            order: Order::BreadthFirst,
            interpolation: Strategy::default(),
            auxiliary: Auxiliary::default(),
            record: false,
            observers: Observers::default(),
        }
    }
}

/// What a refuted error path changes (thesis, section 4.2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refinement {
    /// Its nodes are strengthened by the interpolants. New nodes start with *true*: nothing is
    /// abstracted, so there is no precision.
    Impact,
    /// Predicates from the interpolants are added to the precision, and what was built without
    /// them is built again.
    Predicate(Abstracting, Restart),
    /// Both, as in UFO: its nodes are strengthened, and nodes made later are abstracted with the
    /// predicates found.
    Both(Abstracting),
}

impl Refinement {
    /// How new nodes are abstracted; `None` if they are not.
    pub fn abstracting(self) -> Option<Abstracting> {
        match self {
            Refinement::Impact => None,
            Refinement::Predicate(abstracting, _) | Refinement::Both(abstracting) => {
                Some(abstracting)
            }
        }
    }
}

/// How new nodes are abstracted, and where the predicates come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abstracting {
    /// The abstraction.
    pub abstraction: Abstraction,
    /// Where a predicate is used.
    pub scope: Scope,
    /// What of an interpolant becomes a predicate.
    pub predicates: Predicates,
}

/// Predicate abstraction of a formula (thesis, section 4.1.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Abstraction {
    /// The strongest conjunction of predicates and negated predicates.
    Cartesian,
    /// The strongest Boolean combination, by enumerating models.
    Boolean,
    /// The strongest Boolean combination; predicates that the Cartesian abstraction decides are
    /// left out of the enumeration.
    #[default]
    CartesianThenBoolean,
}

/// Where a predicate is used that was found at a location (thesis, section 4.2.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// At this location.
    #[default]
    Location,
    /// At all locations of its procedure.
    Procedure,
    /// Everywhere.
    Global,
}

/// What of an interpolant becomes a predicate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Predicates {
    /// All of it, as one predicate. The default: on programs that need few predicates it makes no
    /// difference, and where there are many there are fewer models to enumerate.
    #[default]
    Whole,
    /// Its atoms.
    Atoms,
}

/// How an abstract state is represented, and what follows for covering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StateForm {
    /// A binary decision diagram over atoms. Whether one node covers another is decided by
    /// diagrams alone: `x == 1` is not seen to be covered by `x >= 0`.
    #[default]
    Bdd,
    /// A formula. Covering is a question to the solver.
    Formula,
}

/// Covering by force (thesis, section 4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForcedCovering {
    /// Not tried.
    #[default]
    Off,
    /// If what an older node says holds after all steps from the nearest common ancestor, the
    /// path is strengthened so that the older node covers.
    NearestCommonAncestor,
}

/// What is built again after a predicate refinement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Restart {
    /// What hangs from the first node on the path with new predicates (the pivot).
    #[default]
    Lazy,
    /// Everything.
    Eager,
}

/// Which node is expanded next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// One of the least depth.
    #[default]
    BreadthFirst,
    /// One of the greatest depth.
    DepthFirst,
    /// One whose location comes first in a topological order (back edges ignored): loops are
    /// finished before what follows them.
    Topological,
}

/// All values of a choice, with their names and one line about each.
pub trait Choice: Copy + PartialEq + 'static {
    /// The values.
    const ALL: &'static [(Self, &'static str, &'static str)];

    /// The name of a value.
    fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(value, ..)| *value == self)
            .map_or("", |(_, name, _)| name)
    }
}

impl Choice for Abstraction {
    const ALL: &'static [(Abstraction, &'static str, &'static str)] = &[
        (
            Abstraction::Cartesian,
            "cartesian",
            "the strongest conjunction of predicates",
        ),
        (
            Abstraction::Boolean,
            "boolean",
            "the strongest Boolean combination of predicates",
        ),
        (
            Abstraction::CartesianThenBoolean,
            "cartesian-boolean",
            "the same, with fewer predicates to enumerate",
        ),
    ];
}

impl Choice for Scope {
    const ALL: &'static [(Scope, &'static str, &'static str)] = &[
        (
            Scope::Location,
            "location",
            "a predicate is used at the location it was found at",
        ),
        (
            Scope::Procedure,
            "procedure",
            "a predicate is used in the procedure it was found in",
        ),
        (Scope::Global, "global", "a predicate is used everywhere"),
    ];
}

impl Choice for Predicates {
    const ALL: &'static [(Predicates, &'static str, &'static str)] = &[
        (
            Predicates::Whole,
            "whole",
            "an interpolant becomes one predicate",
        ),
        (
            Predicates::Atoms,
            "atoms",
            "an interpolant's atoms become predicates",
        ),
    ];
}

impl Choice for StateForm {
    const ALL: &'static [(StateForm, &'static str, &'static str)] = &[
        (
            StateForm::Bdd,
            "bdd",
            "binary decision diagrams over predicates",
        ),
        (StateForm::Formula, "formula", "formulas"),
    ];
}

impl Choice for ForcedCovering {
    const ALL: &'static [(ForcedCovering, &'static str, &'static str)] = &[
        (ForcedCovering::Off, "off", "no covering by force"),
        (
            ForcedCovering::NearestCommonAncestor,
            "ancestor",
            "strengthen from the nearest common ancestor on",
        ),
    ];
}

impl Choice for Restart {
    const ALL: &'static [(Restart, &'static str, &'static str)] = &[
        (
            Restart::Lazy,
            "lazy",
            "build again what hangs from the first new predicate",
        ),
        (Restart::Eager, "eager", "build everything again"),
    ];
}

impl Choice for Order {
    const ALL: &'static [(Order, &'static str, &'static str)] = &[
        (Order::BreadthFirst, "breadth-first", "short paths first"),
        (Order::DepthFirst, "depth-first", "long paths first"),
        (
            Order::Topological,
            "topological",
            "loops before what follows them",
        ),
    ];
}

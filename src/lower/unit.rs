//! The result of lowering: a program graph with the tables that lead back to the source.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use ult_lang::hir::ProcedureId;
use ult_lang::span::Span;

use super::origin::Origins;
use ult_core::formula::Terms;
use ult_core::graph::{EdgeId, LocationId, Origin, ProgramGraph, Transition};

/// A verification unit as a program graph.
#[derive(Clone, Debug)]
pub struct LoweredUnit {
    /// Which unit it is; `None` for a program-graph text.
    pub plan: Option<UnitPlan>,
    /// The graph. Its error locations are exactly the keys of `obligations`.
    pub graph: ProgramGraph,
    /// What has to be proved: the error locations must not be reached.
    pub obligations: BTreeMap<LocationId, Obligation>,
    /// What the [`Origin`] numbers in the graph mean.
    pub origins: Origins,
    /// The variables of the graph, as the user knows them.
    pub displayed: BTreeMap<Arc<str>, Displayed>,
    /// Edges that allow more than the program does. A run through one of them is no run of the
    /// program: a violation at its end does not count.
    pub abstracted: BTreeMap<EdgeId, Abstraction>,
    /// Procedures that this unit assumes to keep their contracts (and their assertions). A proof of
    /// the unit counts only together with proofs of them.
    pub relies_on: BTreeSet<ProcedureId>,
    /// Axioms left out. No violation found in the unit counts, because the missing axioms might
    /// exclude its run.
    pub axioms_dropped: Vec<Unsupported>,
    /// What axioms say less of than the program does, and in no particular step: recursive datatypes, and quantifiers over
    /// types inside of axioms, which are said of the types that the program has. A proof counts; what is
    /// found to be violated has not been proved, and no more is known.
    pub approximated: Vec<Unsupported>,
    /// Where summaries are asked for: the location, an error location in form, in which the
    /// procedure has returned.
    pub returned: Option<LocationId>,
    /// Everything in the unit that could not be expressed, for a report.
    pub unsupported: Vec<Unsupported>,
}

impl LoweredUnit {
    /// The graph without the edges that allow too much: its runs are runs of the program (unless
    /// axioms were dropped), and runs of `graph` by the same edges, but some may be missing. A proof
    /// for it means nothing.
    pub fn without_abstractions(&self, terms: &Terms) -> ProgramGraph {
        let mut graph = self.graph.clone();
        for &edge in self.abstracted.keys() {
            if let Some(edge) = graph.graph.edge_weight_mut(edge) {
                edge.transition = Transition::assume(terms.ff());
            }
        }
        graph
    }
}

/// A unit to be verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitPlan {
    /// The procedure.
    pub procedure: ProcedureId,
    /// Why.
    pub role: Role,
}

/// Why a procedure is verified on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Runs of the program start here.
    Entry,
    /// Another unit relies on its contract. A violation shows only that the contract is too weak or
    /// wrong: the procedure starts in states in which no run of the program may call it.
    Dependency,
}

/// Something that has to be proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// What kind of thing.
    pub kind: ObligationKind,
    /// The place that is to blame: the assertion, the call, the end of the body.
    pub origin: Origin,
    /// The clause that is violated, where it stands elsewhere (a callee's `requires`).
    pub clause: Option<Span>,
    /// In words: "assertion", or the text of a `{:msg "..."}` attribute.
    pub text: Arc<str>,
}

/// The kinds of obligations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObligationKind {
    /// A loop invariant when the loop is entered.
    InvariantInitiation,
    /// A loop invariant after a round of the loop.
    InvariantConsecution,
    /// A precondition at a call.
    Requires {
        /// The name of the callee.
        callee: Arc<str>,
    },
    /// An assertion.
    Assert,
    /// A postcondition at the end of a procedure.
    Ensures,
    /// What an inferred contract demands: of the callee (its precondition at a call), or of the
    /// procedure itself (its postcondition). Nobody wrote it.
    Inferred {
        /// Whose contract.
        callee: Arc<str>,
    },
    /// An error location of a program-graph text.
    Location,
    /// A Horn clause without a conclusion: its premises must not hold.
    Query,
    /// A condition that a translated language leaves to the programmer: without it, behavior is undefined.
    Condition {
        /// The property that checks it.
        property: Arc<str>,
    },
    /// Something that cannot be expressed: if it can be reached, nobody knows.
    Unsupported {
        /// What it is.
        what: Arc<str>,
    },
}

impl fmt::Display for ObligationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObligationKind::Assert => f.write_str("assertion"),
            ObligationKind::Requires { callee } => write!(f, "precondition of `{callee}`"),
            ObligationKind::Ensures => f.write_str("postcondition"),
            ObligationKind::Inferred { callee } => write!(f, "inferred contract of `{callee}`"),
            ObligationKind::InvariantInitiation => f.write_str("loop invariant on entry"),
            ObligationKind::InvariantConsecution => f.write_str("loop invariant after a round"),
            ObligationKind::Location => f.write_str("error location"),
            ObligationKind::Query => f.write_str("query"),
            ObligationKind::Condition { property } => write!(f, "condition `{property}`"),
            ObligationKind::Unsupported { what } => write!(f, "unsupported: {what}"),
        }
    }
}

/// Why an edge allows more than the program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// A call of a procedure with a body, through its contract.
    Contract {
        /// The name of the callee.
        callee: Arc<str>,
    },
    /// A statement or condition that could not be expressed.
    Unsupported {
        /// What it is.
        what: Arc<str>,
    },
    /// A condition of which less is said than is meant: of the types that the program has, and not of all. A proof
    /// counts; a run that passes may be none.
    Weakened {
        /// What it is.
        what: Arc<str>,
    },
}

/// Something that could not be expressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What, in words.
    pub what: Arc<str>,
    /// Where.
    pub origin: Origin,
}

/// A variable of the graph as the user knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Displayed {
    /// The name in the source.
    pub name: Arc<str>,
    /// The procedure it belongs to; `None` for globals.
    pub procedure: Option<Arc<str>>,
    /// Whether it is the value of a global at the entry of a procedure, `old(name)`.
    pub old: bool,
}

impl Displayed {
    /// Whether it is not in the source, but used by calls of bodies that are in the graph once ([`shared_bodies`](super::shared_bodies)).
    pub fn is_made_up(&self) -> bool {
        matches!(&*self.name, "depth~" | "stack~") || self.name.starts_with("return~")
    }
}

//! Incremental SAT solvers behind one interface.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod circuit;

use std::str::FromStr;

pub use self::circuit::Circuit;
use ult_core::control::Control;

/// A literal of a solver: a variable, inverted or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SatLit(u32);

impl SatLit {
    /// A variable, not inverted.
    pub fn variable(number: u32) -> SatLit {
        SatLit(number << 1)
    }

    /// The variable's number.
    pub fn number(self) -> u32 {
        self.0 >> 1
    }

    /// Whether it is inverted.
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// This literal, inverted if `inverted` is set.
    pub fn invert_if(self, inverted: bool) -> SatLit {
        SatLit(self.0 ^ u32::from(inverted))
    }
}

impl std::ops::Not for SatLit {
    type Output = SatLit;

    fn not(self) -> SatLit {
        SatLit(self.0 ^ 1)
    }
}

/// What a solver says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none under the assumptions.
    Unsat,
    /// It was stopped.
    Stopped,
}

/// What a solver counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Its variables.
    pub variables: u64,
    /// Clauses that were added.
    pub clauses: u64,
    /// Conflicts so far, if it counts them.
    pub conflicts: u64,
    /// Decisions that followed from ranks.
    pub ranked: u64,
}

/// What a variable with a rank is decided to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Such that the literal is true.
    True,
    /// What it was last.
    Last,
}

/// An incremental solver. What was learnt is kept from question to question.
pub trait Solver {
    /// A new variable.
    fn variable(&mut self) -> SatLit;

    /// Adds a clause for good.
    fn add(&mut self, clause: &[SatLit]);

    /// Whether there is a model in which the assumptions hold.
    fn solve(&mut self, assumptions: &[SatLit]) -> Answer;

    /// The value of a literal in the model, after [`Answer::Sat`].
    fn value(&self, lit: SatLit) -> bool;

    /// After [`Answer::Unsat`], whether an assumption was used.
    fn is_used(&self, assumption: SatLit) -> bool;

    /// Asks for decisions about a literal's variable before others: the highest rank first, all that
    /// have one before those without. Answers do not depend on it. Solvers that cannot do so
    /// ([`Choice::has_ranks`]) decide as always.
    fn decide_first(&mut self, _literal: SatLit, _rank: u32, _phase: Phase) {}

    /// What it has counted.
    fn counts(&self) -> Counts;
}

/// Which solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// BatSat, MiniSat in Rust.
    #[default]
    BatSat,
    /// CaDiCaL.
    #[cfg(feature = "cadical")]
    CaDiCaL,
}

impl Choice {
    /// All there are.
    pub const ALL: &[Choice] = &[
        Choice::BatSat,
        #[cfg(feature = "cadical")]
        Choice::CaDiCaL,
    ];

    /// A solver without clauses, which stops when `control` says so.
    pub fn solver(self, control: &Control) -> Box<dyn Solver> {
        match self {
            Choice::BatSat => Box::new(batsat::BatSat::new(control)),
            #[cfg(feature = "cadical")]
            Choice::CaDiCaL => Box::new(cadical::CaDiCaL::new(control)),
        }
    }

    /// Whether it can be told what to decide first.
    pub fn has_ranks(self) -> bool {
        match self {
            Choice::BatSat => false,
            #[cfg(feature = "cadical")]
            Choice::CaDiCaL => true,
        }
    }

    /// The first solver that can be told what to decide first, if there is one.
    pub fn with_ranks() -> Option<Choice> {
        Choice::ALL
            .iter()
            .copied()
            .find(|choice| choice.has_ranks())
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Choice::BatSat => "batsat",
            #[cfg(feature = "cadical")]
            Choice::CaDiCaL => "cadical",
        }
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        (Choice::ALL.iter().copied())
            .find(|choice| choice.name() == text)
            .ok_or_else(|| format!("there is no SAT solver `{text}` in this program"))
    }
}

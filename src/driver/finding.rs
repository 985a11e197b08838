//! What an attempt finds out about one obligation of the source.

use std::sync::Arc;

use ult_check::lattice::HasReason;
use ult_check::{Proof, Status, Violation};
use ult_core::reason::Reason;
use ult_explain::trace::RunStep;
use ult_lang::span::Span;
use ult_lower::unit::ObligationKind;

/// The same obligation of the source in all its copies: an assertion in a procedure that is
/// inlined several times is one obligation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The place that is to blame.
    pub span: Span,
    /// The clause, where it stands elsewhere.
    pub clause: Option<Span>,
    /// The kind.
    pub kind: ObligationKind,
    /// The words.
    pub text: Arc<str>,
}

/// What an attempt found out about one obligation. SAFE is meant as far as the unit alone goes:
/// contracts that the proof relies on are another matter. A violation comes with a run of the
/// unit's program.
pub(crate) type Finding = Status<Proof, (Violation, Arc<[RunStep]>), Open>;

/// Why an obligation is open.
#[derive(Clone, Debug)]
pub struct Open {
    /// The reason.
    pub reason: Reason,
    /// The place that it names.
    pub span: Option<Span>,
    /// A run through what the program states, if that is the reason.
    pub run: Arc<[RunStep]>,
}

impl Open {
    /// A reason that names no place.
    pub fn because(reason: Reason) -> Open {
        Open::at(None, reason)
    }

    /// A reason, with the place that it names.
    pub(crate) fn at(span: Option<Span>, reason: Reason) -> Open {
        Open {
            reason,
            span,
            run: Arc::default(),
        }
    }
}

impl HasReason for Open {
    fn reason(&self) -> &Reason {
        &self.reason
    }
}

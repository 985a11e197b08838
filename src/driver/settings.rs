//! How files are read and verified.

use std::sync::Arc;
use std::time::Duration;
#[cfg(feature = "c")]
use std::time::Instant;

#[cfg(feature = "c")]
use super::result::Report;
use ult_engine::verify;
use ult_explain::stepping::Observer;
use ult_lower::Options as Reading;
use ult_proof_cache::Store;

/// How files are read and verified.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How programs are read.
    pub reading: Reading,
    /// How C is translated.
    #[cfg(feature = "c")]
    pub c: ult_c::Options,
    /// How graphs are verified.
    pub verify: verify::Settings,
    /// Whether verdicts on circuits and programs in SV-LIB are to come with a certificate ([`Report::certificate`]).
    pub certificate: bool,
    /// The longest time for one unit, each time that it is tried; `None` leaves only the limit of the whole run.
    pub unit_limit: Option<Duration>,
    /// A unit that violates something goes on for as long as it took to find that, and at least for so long, to decide the rest;
    /// `None` if it is to go on until all is decided.
    pub patience: Option<Duration>,
    /// What becomes of constants with `{:existential true}`.
    pub existential: Existential,
    /// Whether what is not implied by the stated invariants and contracts, where only these count
    /// ([`Reading::modular`]), is told apart from what is violated. For Boogie both are errors.
    pub tells_induction: bool,
    /// Where evidence is kept between runs, if anywhere.
    pub kept: Option<Store>,
    /// Whether a proof in few words is looked for where what was found is long: for those who show invariants to people.
    pub minimize: bool,
    /// Who follows the searches of an engine that refines, and may take part.
    pub observer: Option<Arc<dyn Observer>>,
}

impl Settings {
    /// Whether what is known is enough, since something is violated.
    #[cfg(feature = "c")]
    pub(crate) fn is_enough(&self, report: &Report) -> bool {
        self.patience.is_some() && report.has_violation()
    }

    /// How long a further look at a text may take that was begun at `start`, if what is known limits that: something is violated.
    #[cfg(feature = "c")]
    pub(crate) fn patience_with(&self, report: &Report, start: Instant) -> Option<Duration> {
        let patience = self.patience_after(start.elapsed());
        patience.filter(|_| report.has_violation())
    }

    /// How long to go on when a violation was found after such a time; `None` if that changes nothing.
    pub(crate) fn patience_after(&self, elapsed: Duration) -> Option<Duration> {
        self.patience.map(|least| least.max(elapsed))
    }
}

/// Whether constants with `{:existential true}` are found values for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existential {
    /// Yes.
    #[default]
    Inferred,
    /// No: nothing is known of them.
    Arbitrary,
}

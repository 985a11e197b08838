//! A whole file: from its text to a verdict for each obligation.
//!
//! [`check`] reads the text, makes units of it (procedures, or program graphs), and verifies them
//! one after the other. Four matters are decided here, for all units together:
//!
//! * *Time.* Each unit gets a fair share of what is left; what it leaves goes to the others, and
//!   units that ran out of their share are tried again if there is time in the end.
//! * *Recursion.* Calls of recursive procedures go through contracts. Where a contract says too
//!   little, the unit is tried again with more and more activations inlined ([`DEPTHS`]).
//! * *Contracts.* A proof that relies on a contract counts only if the procedure is proved to keep
//!   it; a violation by way of a contract does not count at all.
//! * *Publication.* What is known is in the [`Progress`] at any time, for those who cannot wait.
//!
//! From the bottom to the top; a module uses those above it in this table:
//!
//! | file | idea |
//! |---|---|
//! | [`settings`], `language` | what is asked |
//! | [`result`] | what is known, as plain data |
//! | [`progress`] | what is known so far, and who is told |
//! | `context` | what is asked, how long it may take, and where what is known goes, for all steps of one check |
//! | [`mod@load`] | from a text to what is verified |
//! | `finding` | what an attempt finds out about one obligation |
//! | `proof_cache` | evidence from earlier runs, checked again |
//! | `attempt` | one unit, once |
//! | `bounded_datatypes` | traces through recursive datatypes |
//! | `trust` | which procedures keep their contracts together |
//! | `attempts` | what all attempts together say |
//! | [`summaries`] | contracts that nobody wrote |
//! | `order`, `stack` | which unit comes first where time is short, and how the traces of recursive ones are followed |
//! | `certificate` | verdicts on circuits, for other tools |
//! | `schedule` | the units of a program one after the other |
//! | `houdini` | which candidate annotations hold |
//! | `decide` | one reading of a text |
//! | `translations`, `overapprox`, `flat` | several translations of one C program, and what they say together |
//! | `conditions` | what C leaves to the programmer |
//! | `verify` | a text in all its readings |
//! | [`infer`] | invariants and contracts that are missing, as text of the program |
//! | `induction` | what is violated, and what is only not implied by what the program states |
//! | `sv_lib` | verdicts on programs in SV-LIB, as witnesses |
//! | [`mod@check`] | the way in: from a text to a report |
//! | [`certify`] | certificates that need no solver to be checked |
//! | [`stability`] | whether verdicts survive other seeds, names and orders |
//! | [`export`] | Horn clauses for other solvers |
//! | [`worker`] | threads with a deep stack |

mod attempt;
mod attempts;
mod bounded_datatypes;
#[cfg(feature = "circuits")]
mod certificate;
pub mod certify;
pub mod check;
#[cfg(feature = "c")]
mod conditions;
mod context;
mod decide;
pub mod export;
mod finding;
#[cfg(feature = "c")]
mod flat;
mod houdini;
mod induction;
pub mod infer;
mod language;
pub mod load;
mod order;
#[cfg(feature = "c")]
mod overapprox;
pub mod progress;
mod proof_cache;
pub mod result;
mod schedule;
pub mod settings;
pub mod stability;
mod stack;
pub mod summaries;
#[cfg(feature = "svlib")]
mod sv_lib;
#[cfg(feature = "c")]
mod translations;
mod trust;
mod verify;
pub mod worker;

#[cfg(test)]
mod tests;

pub use check::{check, check_loaded};
pub use language::Language;
pub use load::{Content, Loaded, load};
pub use progress::{Activity, Event, Progress};
pub use result::{
    Basis, Certified, Conclusion, Confirmation, ContractReport, ObligationReport, Outcome, Report,
    Reuse, UnitReport,
};
pub use schedule::DEPTHS;
pub use settings::{Existential, Settings};
pub use ult_explain::cause::Cause;
pub use ult_explain::invariants::InvariantReport;
pub use ult_explain::trace::RunStep;
pub use ult_explain::{Place, Source};
pub use ult_proof_cache::Store;

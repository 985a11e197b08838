//! With `--modular`, two things that Boogie calls an error are told apart: what is violated, and what is not implied by the
//! invariants and contracts that the program states.
//!
//! There, a loop is what its invariants allow, and a call what the contract allows. A run through such an abstraction is a
//! counterexample to induction: it says that what is stated is too weak, and nothing about the program. Whether a run from
//! the procedure's start violates the obligation as well, and if not, which invariant is missing, says a check that
//! looks into loops and calls.

use std::sync::Arc;
use std::time::Duration;

use super::context::Context;
use super::infer;
use super::progress::Progress;
use super::result::{ObligationReport, Report, UnitReport, is_abstract};
use super::settings::Settings;
use super::verify::verified;
use ult_check::Verdict;
use ult_core::control::Control;
use ult_core::reason::Reason;
use ult_lower::Options as Reading;
use ult_lower::plan::EntryError;

/// The longest time for the second check.
const LONGEST: Duration = Duration::from_secs(10);

/// Whether an obligation is open because of what the program states.
fn is_open(obligation: &ObligationReport) -> bool {
    match &obligation.verdict {
        Verdict::Unknown(Reason::NotProved(_)) => is_abstract(&obligation.run),
        Verdict::Unknown(Reason::ContractTooWeak(_)) => true,
        _ => false,
    }
}

/// Looks for runs of the program, and for the invariants and contracts that are missing, where something is not implied.
///
/// # Errors
/// As for every check.
pub(super) fn complete(
    report: &mut Report,
    settings: &Settings,
    control: &Control,
) -> Result<(), EntryError> {
    let is_wanted = settings.tells_induction
        && settings.reading.modular
        && control.check().is_ok()
        && report.obligations().any(is_open);
    if !is_wanted {
        return Ok(());
    }
    let mut reading = settings.reading.clone();
    reading.modular = false;
    reading.stated = true;
    let settings = Settings {
        tells_induction: false,
        kept: None,
        reading,
        ..settings.clone()
    };
    let time = control
        .remaining()
        .map_or(LONGEST, |left| LONGEST.min(left / 2));
    let control = control.within(Some(time));
    let mut inside = Report::new(report.source.clone(), report.language);
    let context = Context {
        settings: &settings,
        control: &control,
        progress: &Progress::default(),
    };
    verified(&mut inside, context)?;
    for unit in &mut report.units {
        let Some(other) = inside.units.iter().find(|other| other.name == unit.name) else {
            continue;
        };
        if unit.obligations.iter().any(is_open) {
            learn(Arc::make_mut(unit), other);
        }
    }
    let modular = Settings {
        reading: Reading {
            modular: true,
            ..settings.reading.clone()
        },
        ..settings
    };
    infer::calls::complete(report, &modular, &control)
}

/// Takes over what a check of the same procedure found that looks into loops and calls.
fn learn(unit: &mut UnitReport, inside: &UnitReport) {
    let mut is_proved = false;
    for obligation in unit.obligations.iter_mut().filter(|o| is_open(o)) {
        let same = |other: &&ObligationReport| {
            other.kind == obligation.kind
                && other.span == obligation.span
                && other.clause == obligation.clause
        };
        let Some(found) = inside.obligations.iter().find(same) else {
            continue;
        };
        match &found.verdict {
            Verdict::Unsafe(_) => {
                obligation.verdict = found.verdict.clone();
                obligation.run = found.run.clone();
            }
            Verdict::Safe(_) => {
                is_proved = true;
                obligation.missing = inside
                    .invariants
                    .iter()
                    .filter(|invariant| invariant.formula != "true")
                    .filter_map(|invariant| {
                        Some((invariant.span?, format!("invariant {};", invariant.formula)))
                    })
                    .collect();
            }
            Verdict::Unknown(_) => {}
        }
    }
    // Editors offer them.
    if is_proved && unit.invariants.is_empty() {
        unit.invariants = inside.invariants.clone();
    }
}

//! Several translations of one C program, and what they say together.

use std::sync::Arc;
use std::time::Duration;

use super::context::Context;
use super::decide::decided_once;
use super::load::load;
use super::progress::Progress;
use super::result::{ObligationReport, Report, UnitReport};
use super::settings::Settings;
use ult_check::Verdict;
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::reason::Reason;
use ult_lower::plan::EntryError;
use ult_lower::unit::ObligationKind;

/// A translation that gets a part of the time gets this if there is no limit.
pub(super) const UNLIMITED: Duration = Duration::from_secs(300);

/// The program read once more, and verified as far as the time goes. `None` if it is no program in this reading.
pub(super) fn again(
    report: &Report,
    settings: &Settings,
    control: &Control,
) -> Result<Option<Report>, EntryError> {
    let terms = Terms::new();
    let Ok(loaded) = load(&terms, &report.source, report.language, settings) else {
        return Ok(None);
    };
    let mut other = Report {
        is_asked: report.is_asked,
        ..loaded.report()
    };
    if other.is_rejected() {
        return Ok(None);
    }
    let quiet = Progress::default();
    let context = Context {
        settings,
        control,
        progress: &quiet,
    };
    decided_once(&mut other, &terms, loaded, context)?;
    Ok(Some(other))
}

pub(super) fn is_gap(obligation: &ObligationReport) -> bool {
    matches!(obligation.kind, ObligationKind::Unsupported { .. })
}

/// Whether both are the same obligation in two readings of a unit.
pub(super) fn is_same(one: &ObligationReport, other: &ObligationReport) -> bool {
    one.kind == other.kind
        && one.span == other.span
        && one.clause == other.clause
        && one.description == other.description
}

/// The same obligation in another reading of the unit.
pub(super) fn same<'u>(
    unit: &'u UnitReport,
    obligation: &ObligationReport,
) -> Option<&'u ObligationReport> {
    let mut others = unit.obligations.iter();
    others.find(|other| is_same(other, obligation))
}

/// Whether all that has to be proved there is known.
pub(super) fn is_complete(unit: &UnitReport) -> bool {
    unit.stopped.is_none() && !unit.pending
}

/// The unit of the same name.
pub(super) fn unit_of<'r>(report: &'r Report, unit: &UnitReport) -> Option<&'r UnitReport> {
    let mut units = report.units.iter();
    units.find(|other| other.name == unit.name).map(|u| &**u)
}

/// Adds what another reading says of an obligation.
pub(super) fn join(own: &mut ObligationReport, other: &ObligationReport) {
    match (&own.verdict, &other.verdict) {
        (Verdict::Unknown(_), _) => *own = other.clone(),
        (Verdict::Safe(_), Verdict::Unsafe(_)) | (Verdict::Unsafe(_), Verdict::Safe(_)) => {
            let words = "a trace violates what another reading of the program proves";
            own.verdict = Verdict::Unknown(Reason::Internal(words.into()));
        }
        _ => {}
    }
}

/// Takes over what more time decided: the later look counts, with what was decided before where it leaves something open.
pub(super) fn take_verdicts(report: &mut Report, more: &Report) {
    for unit in &mut report.units {
        let Some(other) = unit_of(more, unit).filter(|other| is_complete(other)) else {
            continue;
        };
        let unit = Arc::make_mut(unit);
        let before = std::mem::replace(&mut unit.obligations, other.obligations.clone());
        // Gaps that are not there any more cannot be reached.
        for mut known in before.into_iter().filter(|known| !is_gap(known)) {
            match unit.obligations.iter().position(|o| is_same(o, &known)) {
                Some(place) => {
                    join(&mut known, &unit.obligations[place]);
                    unit.obligations[place] = known;
                }
                None => unit.obligations.push(known),
            }
        }
        unit.stopped = None;
        unit.pending = false;
        unit.steps = unit.steps.max(other.steps);
        take_pictures(unit, other);
    }
}

/// Takes over what is told of how another reading of the unit was decided.
pub(super) fn take_pictures(unit: &mut UnitReport, other: &UnitReport) {
    if !other.invariants.is_empty() {
        unit.invariants.clone_from(&other.invariants);
    }
    if other.contract.is_some() {
        unit.contract.clone_from(&other.contract);
    }
    unit.portfolio.clone_from(&other.portfolio);
    unit.explanation.clone_from(&other.explanation);
}

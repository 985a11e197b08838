//! A second reading of a C program, which is asked for proofs.
//!
//! Where a translation does not cover something (pointers that are put together from bytes, numbers that may be addresses),
//! nothing that lies behind it is proved, even if the property has nothing to do with it. So such programs are translated a
//! second time, coarsely ([`ult_c::encode::coarse`]): the program may then do whatever it does, and more. What is SAFE
//! there is SAFE; all else means nothing.
//!
//! The exact translation goes first, for a moment, since it finds violations, too. In the end it gets what the coarse one left.

use std::sync::Arc;
use std::time::Duration;

use super::load::{Loaded, load};
use super::result::{Conclusion, ObligationReport, Report, UnitReport};
use super::{EntryError, Progress, Settings, decided_once};
use ult_c::Coarse;
use ult_check::Verdict;
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::reason::Reason;
use ult_lower::unit::ObligationKind;

/// So long is the exact translation verified first: shallow violations are found in that.
const FIRST: Duration = Duration::from_secs(2);

/// If that was not enough, the coarse one gets one part in so many of the time that is left.
const COARSE: u32 = 4;

/// The same if there is no limit.
const UNLIMITED: Duration = Duration::from_secs(300);

/// Verifies a text, and what it leaves open once more in a coarse translation, if there is one.
///
/// # Errors
/// As for every check.
pub(super) fn decided(
    report: &mut Report,
    terms: &Terms,
    loaded: Loaded,
    settings: &Settings,
    control: &Control,
    progress: &Progress,
) -> Result<(), EntryError> {
    let is_wanted =
        settings.c.coarse == Coarse::Auto && loaded.has_gaps && !settings.reading.modular;
    if !is_wanted {
        return decided_once(report, terms, loaded, settings, control, progress);
    }
    let first = control.within(Some(FIRST));
    decided_once(report, terms, loaded, settings, &first, progress)?;
    // Engines stop a little earlier.
    let ran_out = first.check().is_err() || report.reasons().any(|r| *r == Reason::Timeout);
    let is_over = |report: &Report| report.reason().is_none() || control.check().is_err();
    if is_over(report) {
        return Ok(());
    }
    let share = match ran_out {
        true => Some(control.remaining().map_or(UNLIMITED, |left| left / COARSE)),
        false => control.remaining(),
    };
    let mut coarse = settings.clone();
    coarse.kept = None;
    coarse.c.coarse = Coarse::Only;
    if let Some(proved) = again(report, &coarse, &control.within(share))? {
        report.statistics.add(&proved.statistics);
        take_proofs(report, &proved);
    }
    if is_over(report) || !ran_out {
        return Ok(());
    }
    if let Some(more) = again(report, settings, control)? {
        report.statistics.add(&more.statistics);
        take_verdicts(report, &more);
    }
    Ok(())
}

/// The program read once more, and verified as far as the time goes. `None` if it is no program in this reading.
fn again(
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
    decided_once(&mut other, &terms, loaded, settings, control, &quiet)?;
    Ok(Some(other))
}

fn is_gap(obligation: &ObligationReport) -> bool {
    matches!(obligation.kind, ObligationKind::Unsupported { .. })
}

/// The same obligation in another reading of the unit.
fn same<'u>(unit: &'u UnitReport, obligation: &ObligationReport) -> Option<&'u ObligationReport> {
    unit.obligations.iter().find(|other| {
        other.kind == obligation.kind
            && other.span == obligation.span
            && other.clause == obligation.clause
            && other.description == obligation.description
    })
}

/// Whether all that has to be proved there is known.
fn is_complete(unit: &UnitReport) -> bool {
    unit.stopped.is_none() && !unit.pending
}

/// The unit of the same name.
fn unit_of<'r>(report: &'r Report, unit: &UnitReport) -> Option<&'r UnitReport> {
    let mut units = report.units.iter();
    units.find(|other| other.name == unit.name).map(|u| &**u)
}

/// Takes over what was proved in a coarse translation. If that is all there is, the gaps of the exact one do not matter.
fn take_proofs(report: &mut Report, coarse: &Report) {
    if coarse.stopped.is_some() {
        return;
    }
    for unit in &mut report.units {
        let Some(other) = unit_of(coarse, unit) else {
            continue;
        };
        let unit = Arc::make_mut(unit);
        for obligation in unit.obligations.iter_mut().filter(|o| !is_gap(o)) {
            let Some(found) = same(other, obligation) else {
                continue;
            };
            match (&obligation.verdict, &found.verdict) {
                (Verdict::Unknown(_), Verdict::Safe(_)) => {
                    *obligation = found.clone();
                    report.basis.coarse = true;
                }
                (Verdict::Unsafe(_), Verdict::Safe(_)) => {
                    let words = "a run violates what a coarse translation of the program proves";
                    obligation.verdict = Verdict::Unknown(Reason::Internal(words.into()));
                }
                _ => {}
            }
        }
        // What is SAFE beside a gap is so up to the gap only: all of it has to be proved here.
        let is_proved = |o: &ObligationReport| {
            is_gap(o) || o.verdict.is_safe() && same(other, o).is_some_and(|o| o.verdict.is_safe())
        };
        let is_whole = is_complete(other) && other.conclusion() == Conclusion::Safe;
        if is_complete(unit) && is_whole && unit.obligations.iter().all(is_proved) {
            unit.obligations.retain(|obligation| !is_gap(obligation));
            unit.invariants.clone_from(&other.invariants);
            unit.portfolio.clone_from(&other.portfolio);
            unit.explanation.clone_from(&other.explanation);
        }
    }
}

/// Takes over what more time decided.
fn take_verdicts(report: &mut Report, more: &Report) {
    for unit in &mut report.units {
        let Some(other) = unit_of(more, unit) else {
            continue;
        };
        if !is_complete(other) {
            continue;
        }
        let unit = Arc::make_mut(unit);
        if !is_complete(unit) {
            *unit = other.clone();
            continue;
        }
        for obligation in &mut unit.obligations {
            if obligation.verdict.reason().is_some()
                && let Some(found) = same(other, obligation)
            {
                *obligation = found.clone();
            }
        }
        // Gaps that cannot be reached are not told.
        let is_closed = |o: &ObligationReport| is_gap(o) && same(other, o).is_none();
        unit.obligations.retain(|obligation| !is_closed(obligation));
        if !other.invariants.is_empty() {
            unit.invariants.clone_from(&other.invariants);
        }
        unit.steps = unit.steps.max(other.steps);
        unit.portfolio.clone_from(&other.portfolio);
        unit.explanation.clone_from(&other.explanation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, Source, check};

    /// A number that is an address becomes a pointer, and what is read there does not matter.
    const PROGRAM: &str = "
        extern void abort(void);
        extern long __VERIFIER_nondet_long(void);
        void reach_error(void) { abort(); }
        int main(void) {
            int x = 1, lock = 0;
            long number = __VERIFIER_nondet_long();
            if (number != (long)&x) return 0;
            int *pointer = (int *)number;
            if (*pointer) lock = 1;
            if (*pointer > 3) { lock = 2; lock = lock - 1; }
            if (lock > 1) reach_error();
            return 0;
        }";

    fn checked(text: &str, coarse: Coarse) -> Report {
        let mut settings = Settings::default();
        settings.c.coarse = coarse;
        let source = Source::c("f.c", text);
        let (control, progress) = (Control::unlimited(), Progress::default());
        check(&source, Language::C, &settings, &control, &progress).unwrap()
    }

    #[test]
    fn what_does_not_depend_on_memory_is_proved_without_it() {
        let exact = checked(PROGRAM, Coarse::Never);
        assert!(exact.reason().is_some());
        let report = checked(PROGRAM, Coarse::Auto);
        assert_eq!(report.conclusion(), Conclusion::Safe);
        assert!(report.basis.coarse);
    }

    #[test]
    fn no_run_of_a_coarse_translation_counts() {
        // It holds, since `*pointer` is 1, but that is in memory.
        let open = PROGRAM.replace("lock > 1", "*pointer != 1");
        let report = checked(&open, Coarse::Auto);
        assert!(report.reason().is_some());
        assert!(!report.basis.coarse);
        let violated = PROGRAM.replace("lock > 1", "lock > 0");
        assert_ne!(
            checked(&violated, Coarse::Auto).conclusion(),
            Conclusion::Safe
        );
    }
}

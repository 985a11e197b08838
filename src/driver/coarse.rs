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
use ult_c::{Coarse, LEAVES, Members};
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
    if loaded.has_claims && settings.c.members == Members::Apart && !settings.reading.modular {
        return flat_where_left(report, terms, loaded, settings, control, progress);
    }
    exact_or_coarse(report, terms, loaded, settings, control, progress)
}

/// Verifies a text whose accesses are claimed to stay in their arrays. Where that is not proved, the objects are read again as one
/// piece each.
fn flat_where_left(
    report: &mut Report,
    terms: &Terms,
    loaded: Loaded,
    settings: &Settings,
    control: &Control,
    progress: &Progress,
) -> Result<(), EntryError> {
    let share = control.remaining().map_or(UNLIMITED, |left| left / 2);
    let first = control.within(Some(share));
    exact_or_coarse(report, terms, loaded, settings, &first, progress)?;
    if !report.obligations().any(is_open_claim) || control.check().is_err() {
        return Ok(());
    }
    let mut flat = settings.clone();
    flat.kept = None;
    flat.c.members = Members::Flat;
    if let Some(found) = again(report, &flat, control)? {
        report.statistics.add(&found.statistics);
        take_verdicts(report, &found);
    }
    Ok(())
}

/// Whether it is open that an access stays in its array.
fn is_open_claim(obligation: &ObligationReport) -> bool {
    let is_claim = |what: &str| what == LEAVES;
    matches!(&obligation.kind, ObligationKind::Unsupported { what } if is_claim(what))
        && !obligation.verdict.is_safe()
}

/// Verifies a text, and what it leaves open once more in a coarse translation, if there is one.
fn exact_or_coarse(
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

/// Whether both are the same obligation in two readings of a unit.
pub(super) fn is_same(one: &ObligationReport, other: &ObligationReport) -> bool {
    one.kind == other.kind
        && one.span == other.span
        && one.clause == other.clause
        && one.description == other.description
}

/// The same obligation in another reading of the unit.
fn same<'u>(unit: &'u UnitReport, obligation: &ObligationReport) -> Option<&'u ObligationReport> {
    let mut others = unit.obligations.iter();
    others.find(|other| is_same(other, obligation))
}

/// Whether all that has to be proved there is known.
pub(super) fn is_complete(unit: &UnitReport) -> bool {
    unit.stopped.is_none() && !unit.pending
}

/// The unit of the same name.
fn unit_of<'r>(report: &'r Report, unit: &UnitReport) -> Option<&'r UnitReport> {
    let mut units = report.units.iter();
    units.find(|other| other.name == unit.name).map(|u| &**u)
}

/// Adds what another reading says of an obligation.
pub(super) fn join(own: &mut ObligationReport, other: &ObligationReport) {
    match (&own.verdict, &other.verdict) {
        (Verdict::Unknown(_), _) => *own = other.clone(),
        (Verdict::Safe(_), Verdict::Unsafe(_)) | (Verdict::Unsafe(_), Verdict::Safe(_)) => {
            let words = "a run violates what another reading of the program proves";
            own.verdict = Verdict::Unknown(Reason::Internal(words.into()));
        }
        _ => {}
    }
}

/// Takes over what was proved in a coarse translation. If that is all there is, the gaps of the exact one do not matter.
fn take_proofs(report: &mut Report, coarse: &Report) {
    // What is SAFE beside a gap is so up to the gap only: then nothing is known of the program.
    let is_whole = coarse.stopped.is_none()
        && coarse.units.iter().all(|unit| is_complete(unit))
        && !coarse.obligations().any(is_gap);
    if !is_whole {
        return;
    }
    for unit in &mut report.units {
        let Some(other) = unit_of(coarse, unit) else {
            continue;
        };
        let unit = Arc::make_mut(unit);
        let mut are_proved = true;
        for obligation in unit.obligations.iter_mut().filter(|o| !is_gap(o)) {
            match same(other, obligation).filter(|found| found.verdict.is_safe()) {
                Some(found) => {
                    report.basis.coarse |= obligation.verdict.reason().is_some();
                    join(obligation, found);
                }
                None => are_proved = false,
            }
        }
        if is_complete(unit) && are_proved && other.conclusion() == Conclusion::Safe {
            unit.obligations.retain(|obligation| !is_gap(obligation));
            take_pictures(unit, other);
        }
    }
}

/// Takes over what more time decided: the later look counts, with what was decided before where it leaves something open.
fn take_verdicts(report: &mut Report, more: &Report) {
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

    /// The obligations that are gaps.
    fn gaps(report: &Report) -> Vec<ObligationReport> {
        report
            .obligations()
            .filter(|o| is_gap(o))
            .cloned()
            .collect()
    }

    #[test]
    fn what_is_proved_up_to_a_gap_is_not_taken_over() {
        let (exact, coarse) = (
            checked(PROGRAM, Coarse::Never),
            checked(PROGRAM, Coarse::Only),
        );
        let (mut whole, mut report, mut with_gap) = (exact.clone(), exact.clone(), coarse.clone());
        take_proofs(&mut whole, &coarse);
        assert_eq!(whole.conclusion(), Conclusion::Safe);
        let gaps = gaps(&exact);
        assert!(!gaps.is_empty());
        Arc::make_mut(&mut with_gap.units[0])
            .obligations
            .extend(gaps.clone());
        take_proofs(&mut report, &with_gap);
        assert!(!report.basis.coarse);
        let is_safe = |o: &ObligationReport| o.verdict.is_safe();
        assert!(!report.obligations().any(is_safe));
        // A later look that meets another gap is no proof, whatever was proved before.
        take_verdicts(&mut whole, &with_gap);
        assert!(whole.reason().is_some());
        assert_eq!(self::gaps(&whole).len(), gaps.len());
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

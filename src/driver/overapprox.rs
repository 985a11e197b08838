//! A second reading of a C program, which is asked for proofs.
//!
//! Where a translation does not cover something (pointers that are put together from bytes, numbers that may be addresses),
//! nothing that lies behind it is proved, even if the property has nothing to do with it. So such programs are translated a
//! second time, as an over-approximation ([`ult_c::encode::overapprox`]): the program may then do whatever it does, and more. What is SAFE
//! there is SAFE; all else means nothing.
//!
//! The exact translation goes first, for a moment, since it finds violations, too. In the end it gets what the over-approximation left.

use std::sync::Arc;
use std::time::Duration;

use super::context::Context;
use super::decide::decided_once;
use super::load::Loaded;
use super::result::{Conclusion, Report};
use super::translations::{
    UNLIMITED, again, is_complete, is_gap, join, same, take_pictures, take_verdicts, unit_of,
};
use ult_c::Overapprox;
use ult_core::formula::Terms;
use ult_core::reason::Reason;
use ult_lower::plan::EntryError;

/// So long is the exact translation verified first: shallow violations are found in that.
const FIRST: Duration = Duration::from_secs(2);

/// If that was not enough, the over-approximation gets one part in so many of the time that is left.
const OVERAPPROX: u32 = 4;

/// Verifies a text, and what it leaves open once more in an over-approximation, if there is one.
///
/// # Errors
/// As for every check.
pub(super) fn decided(
    report: &mut Report,
    terms: &Terms,
    loaded: Loaded,
    context: Context<'_>,
) -> Result<(), EntryError> {
    let Context {
        settings, control, ..
    } = context;
    let is_wanted =
        settings.c.overapprox == Overapprox::Auto && loaded.has_gaps && !settings.reading.modular;
    if !is_wanted {
        return decided_once(report, terms, loaded, context);
    }
    let first = control.within(Some(FIRST));
    decided_once(report, terms, loaded, context.under(&first))?;
    // Engines stop a little earlier.
    let ran_out = first.check().is_err() || report.reasons().any(|r| *r == Reason::Timeout);
    let is_over = |report: &Report| {
        report.reason().is_none() || settings.is_enough(report) || control.check().is_err()
    };
    if is_over(report) {
        return Ok(());
    }
    let share = match ran_out {
        true => Some(
            control
                .remaining()
                .map_or(UNLIMITED, |left| left / OVERAPPROX),
        ),
        false => control.remaining(),
    };
    let mut overapprox = settings.clone();
    overapprox.kept = None;
    overapprox.c.overapprox = Overapprox::Only;
    if let Some(proved) = again(report, &overapprox, &control.within(share))? {
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

/// Takes over what was proved in an over-approximation. If that is all there is, the gaps of the exact one do not matter.
fn take_proofs(report: &mut Report, overapprox: &Report) {
    // What is SAFE beside a gap is so up to the gap only: then nothing is known of the program.
    let is_whole = overapprox.stopped.is_none()
        && overapprox.units.iter().all(|unit| is_complete(unit))
        && !overapprox.obligations().any(is_gap);
    if !is_whole {
        return;
    }
    for unit in &mut report.units {
        let Some(other) = unit_of(overapprox, unit) else {
            continue;
        };
        let unit = Arc::make_mut(unit);
        let mut are_proved = true;
        for obligation in unit.obligations.iter_mut().filter(|o| !is_gap(o)) {
            match same(other, obligation).filter(|found| found.verdict.is_safe()) {
                Some(found) => {
                    report.basis.overapprox |= obligation.verdict.reason().is_some();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::ObligationReport;
    use crate::{Language, Progress, Settings, check};
    use ult_core::control::Control;
    use ult_explain::Source;

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

    fn checked(text: &str, overapprox: Overapprox) -> Report {
        let mut settings = Settings::default();
        settings.c.overapprox = overapprox;
        let source = Source::c("f.c", text);
        let (control, progress) = (Control::unlimited(), Progress::default());
        check(&source, Language::C, &settings, &control, &progress).unwrap()
    }

    #[test]
    fn what_does_not_depend_on_memory_is_proved_without_it() {
        let exact = checked(PROGRAM, Overapprox::Never);
        assert!(exact.reason().is_some());
        let report = checked(PROGRAM, Overapprox::Auto);
        assert_eq!(report.conclusion(), Conclusion::Safe);
        assert!(report.basis.overapprox);
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
        let (exact, overapprox) = (
            checked(PROGRAM, Overapprox::Never),
            checked(PROGRAM, Overapprox::Only),
        );
        let (mut whole, mut report, mut with_gap) =
            (exact.clone(), exact.clone(), overapprox.clone());
        take_proofs(&mut whole, &overapprox);
        assert_eq!(whole.conclusion(), Conclusion::Safe);
        let gaps = gaps(&exact);
        assert!(!gaps.is_empty());
        Arc::make_mut(&mut with_gap.units[0])
            .obligations
            .extend(gaps.clone());
        take_proofs(&mut report, &with_gap);
        assert!(!report.basis.overapprox);
        let is_safe = |o: &ObligationReport| o.verdict.is_safe();
        assert!(!report.obligations().any(is_safe));
        // A later look that meets another gap is no proof, whatever was proved before.
        take_verdicts(&mut whole, &with_gap);
        assert!(whole.reason().is_some());
        assert_eq!(self::gaps(&whole).len(), gaps.len());
    }

    #[test]
    fn no_run_of_an_over_approximation_counts() {
        // It holds, since `*pointer` is 1, but that is in memory.
        let open = PROGRAM.replace("lock > 1", "*pointer != 1");
        let report = checked(&open, Overapprox::Auto);
        assert!(report.reason().is_some());
        assert!(!report.basis.overapprox);
        let violated = PROGRAM.replace("lock > 1", "lock > 0");
        assert_ne!(
            checked(&violated, Overapprox::Auto).conclusion(),
            Conclusion::Safe
        );
    }
}
